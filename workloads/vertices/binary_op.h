// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/binary_op.h"
#include "workloads/graph/codelet.h"
#include "workloads/vertices/runs.h"

namespace ipusim::workloads {

/// popops::BinaryOp1D, BinaryOp2D and their in-place forms: out = in1 op in2, element by element.
///
/// Fields, an edge a run in each: 0 "in1", 1 "in2", 2 "out"; in place 0 "in1Out", 1 "in2". A
/// comparison gives bool.
class BinaryOp : public Codelet {
 public:
  BinaryOp(const models::BinaryOpKind& op, Runs runs);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return runs_.kind(); }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  models::BinaryOpKind op_;
  Runs runs_;
  std::vector<Field> fields_;
};

/// The type of what `op` gives for operands of `type`.
models::ElementType resultType(models::BinaryOp op, models::ElementType type);

}  // namespace ipusim::workloads
