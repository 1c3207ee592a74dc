// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/binary_op.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// A matrix of consecutive rows and one value for each of them.
struct BroadcastRowsShape {
  models::BinaryOpKind op;  ///< add, subtract or multiply of half or float
  std::uint64_t rows;
  std::uint64_t columns;
};

/// popops::BroadcastVectorOuterByRow1D or ByColumn1D, whichever is quicker, for one row
/// popops::BroadcastScalar1D, and their in-place forms: out = data op B, an element of B for each
/// row.
///
/// Fields, an edge each: 0 "data", 1 "B", 2 "out" (in place "data" takes the result).
class BroadcastRows : public Codelet {
 public:
  explicit BroadcastRows(const BroadcastRowsShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(shape_.rows * shape_.columns); }
  void compute(const VertexData& data) const override;

 private:
  BroadcastRowsShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
