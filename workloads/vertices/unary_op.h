// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/unary_op.h"
#include "workloads/graph/codelet.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// popops::UnaryOp1D, UnaryOp2D and their in-place forms: out = op(in), element by element.
///
/// Fields, an edge a run in each: 0 "in", 1 "out"; in place 0 "inOut".
class UnaryOp : public Codelet {
 public:
  UnaryOp(const models::UnaryOpKind& op, Runs runs);

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
  models::UnaryOpKind op_;
  Runs runs_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
