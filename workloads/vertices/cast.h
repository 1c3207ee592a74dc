// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/system/element_type.h"
#include "workloads/graph/codelet.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// popops::Cast1D and Cast2D: elements of one type to another. A half is rounded to nearest even;
/// an integer is what stands before the point, its type's limit where the number lies beyond.
///
/// Fields, an edge a run: 0 "src", 1 "dst".
class Cast : public Codelet {
 public:
  Cast(models::ElementType from, models::ElementType to, Runs runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return runs_.kind(); }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType from_;
  models::ElementType to_;
  Runs runs_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
