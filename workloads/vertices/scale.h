// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/op_placement.h"
#include "models/ipu/cost/scaled_add.h"
#include "workloads/graph/codelet.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// popops::BroadcastScalar1D and BroadcastScalar2DData that multiply, and their in-place forms:
/// out = scale * data.
///
/// Fields: 0 "data", an edge a run; 1 "B", the scale, one element; 2 "out" as "data" (in place
/// "data" takes the result).
class ScaleByScalar : public Codelet {
 public:
  ScaleByScalar(models::ElementType type, models::OpPlacement placement, Runs runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return runs_.kind(); }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(runs_.elements()); }
  void compute(const VertexData& data) const override;

 private:
  models::ElementType type_;
  models::OpPlacement placement_;
  Runs runs_;
  std::vector<Field> fields_;
};

/// popops::ScaledAddSupervisor and ScaledAdd2D with a scale known when the program is made:
/// A += scale * B (a subtraction takes it away).
///
/// Fields, an edge a run: 0 "A", 1 "B".
class ScaledAdd : public Codelet {
 public:
  ScaledAdd(const models::ScaledAddKind& add, float scale, Runs runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return runs_.kind(); }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(2 * runs_.elements()); }
  void compute(const VertexData& data) const override;

 private:
  models::ScaledAddKind add_;
  float scale_;
  Runs runs_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
