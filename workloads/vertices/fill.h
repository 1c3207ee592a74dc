// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// popops::Fill and popops::Fill2d with zero. Field 0 "out": one edge of consecutive elements, or
/// several for the 2D form.
class Zero : public Codelet {
 public:
  Zero(models::ElementType type, std::uint64_t regions, std::uint64_t elements);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  std::uint64_t regions_;
  std::uint64_t elements_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
