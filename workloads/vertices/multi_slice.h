// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/ipu/cost/multi_slice.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// Rows of a table that a vertex looks up by their numbers.
struct LookUpShape {
  models::ElementType type;  ///< half or float
  std::uint64_t rows;        ///< of the table
  std::uint64_t elements;    ///< of a row, on this tile
  std::uint64_t offsets;     ///< rows looked up
};

/// popops::MultiSlice: row i of the result is row offsets[i] of the table. A number that the table
/// has no row for is passed over.
///
/// Fields, an edge each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", the result.
class MultiSlice : public Codelet {
 public:
  explicit MultiSlice(const LookUpShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(0); }
  void compute(const VertexData& data) const override;

 private:
  LookUpShape shape_;
  std::vector<Field> fields_;
};

/// popops::ScaledMultiUpdateOp that adds: to row offsets[i] of the table, row i times the scale, in
/// the order of i. A number that the table has no row for is passed over.
///
/// Fields, an edge each: 0 "offsets", unsigned int; 1 "baseT", the table; 2 "subT", what is added;
/// 3 "scale", one element.
class MultiUpdateAdd : public Codelet {
 public:
  explicit MultiUpdateAdd(const LookUpShape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes stateBytes() const override;
  [[nodiscard]] Bytes codeBytes() const override;
  [[nodiscard]] Flops flops() const override { return Flops(2 * shape_.offsets * shape_.elements); }
  void compute(const VertexData& data) const override;

 private:
  LookUpShape shape_;
  std::vector<Field> fields_;
};

/// Tile cycles of a MultiUpdateAdd vertex.
Cycles multiUpdateAddCycles(const models::Machine& machine, const LookUpShape& shape);

}  // namespace ipusim::workloads
