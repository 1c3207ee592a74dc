// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// popops::BinaryOp1DInPlace<ADD>: in1Out[i] += in2[i], of half, float or unsigned int. Fields 0
/// "in1Out", 1 "in2": an edge of `elements` each.
class AddInPlace1D : public Codelet {
 public:
  AddInPlace1D(models::ElementType type, std::uint64_t elements);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  std::uint64_t elements_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
