// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/binary_op.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// Which way a vector is repeated over the rows of a matrix.
enum class VectorAxis : std::uint8_t {
  Inner,  ///< an element of the vector for each column
  Outer,  ///< an element of the vector for each row
};

/// Whether the rows of a matrix follow one another in memory.
enum class RowGaps : std::uint8_t { None, Some };

/// A matrix that a vector is added to, subtracted from or multiplied with.
struct BroadcastVectorShape {
  models::BinaryOpKind kind;  ///< add, subtract or multiply of halves or floats
  VectorAxis axis;
  std::uint64_t rows;
  std::uint64_t columns;
  RowGaps gaps;
};

/// popops::BroadcastVectorInner1D and BroadcastVectorOuterByRow1D or ByColumn1D, in place or not:
/// the operator on data and B, repeated. Rows with gaps between them cost as much as without; the
/// vendor's library has 2D vertices for them.
///
/// Fields: 0 "data", one edge, or one a row where there are gaps; 1 "B"; 2 "out", as data, where it
/// is not in place.
class BroadcastVector : public Codelet {
 public:
  explicit BroadcastVector(const BroadcastVectorShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  /// Outer: rows or columns shared between the workers, whichever takes less.
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(shape_.rows * shape_.columns); }
  void compute(const VertexData& data) const override;

 private:
  BroadcastVectorShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
