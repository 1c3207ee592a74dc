// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// popops::Cast1D between half and float. Field 0 "in", 1 "out": an edge of `elements` each.
class Cast1D : public Codelet {
 public:
  Cast1D(models::ElementType from, models::ElementType to, std::uint64_t elements);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  std::uint64_t elements_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
