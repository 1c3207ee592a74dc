// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// Rows of outputs, each the sum of two rows of partials.
struct ReducePairsShape {
  models::ElementType type;  ///< half or float
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t
      stride;  ///< elements from the first partials of a row to the second, at least columns
};

/// popops::Reduce that adds two partials to each output, on one worker. The form is the one the
/// vendor's library has for the shape: StridedReduce for one row, ContinuousReduce for one column,
/// else a list of regions, a row each with its two rows of partials one after the other.
///
/// Fields, an edge a row: 0 "out", 1 "first", 2 "second", the two partials of each row.
class ReducePairs : public Codelet {
 public:
  explicit ReducePairs(const ReducePairsShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(shape_.rows * shape_.columns); }
  void compute(const VertexData& data) const override;

 private:
  ReducePairsShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
