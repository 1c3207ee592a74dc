// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/reduce.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// The stride of rows that have no common one.
constexpr std::uint64_t kNoStride = 0;

/// Rows of partials that are reduced to one row of outputs.
struct RowReduction {
  models::ReduceKind kind;  ///< Add or Maximum, not an update
  std::uint64_t partials;   ///< rows
  std::uint64_t outputs;    ///< columns
  std::uint64_t stride;     ///< elements from row to row, at least `outputs`, or kNoStride
};

/// popops::StridedReduce, on one worker; rows without a common stride are a popops::Reduce on a
/// list of regions.
///
/// Fields: 0 "out", one edge; 1 "partials", one edge where the rows follow one another, else one a
/// row.
class ReduceRows : public Codelet {
 public:
  explicit ReduceRows(const RowReduction& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  [[nodiscard]] bool isOneEdge() const { return shape_.stride == shape_.outputs; }

  RowReduction shape_;
  std::vector<Field> fields_;
};

/// popops::ContinuousReduce, on one worker: each row of partials to one output, the rows one after
/// the other. A single output is the form of its own that the vendor's library has for it.
///
/// Fields, an edge each: 0 "out", 1 "partials". The kind is Add or Maximum, not an update.
class ReduceContinuous : public Codelet {
 public:
  explicit ReduceContinuous(const models::ContinuousReduceShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 private:
  models::ContinuousReduceShape shape_;
  std::vector<Field> fields_;
};

}  // namespace ipusim::workloads
