// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/ops/gather/column_blocks.h"
#include "workloads/ops/gather/planner/layout.h"
#include "workloads/ops/placement/op_result.h"

// The tensors of a plan of look-ups, and where they lie. Plans are of one table: one group.

namespace ipusim::workloads {

/// The columns of each part. The last ones may be empty.
std::vector<Range> columnParts(const EmbeddingPlan& plan);

/// The storage of the plan's table: blocks of all rows, one for each part of the columns.
ColumnBlocks tableBlocks(const EmbeddingPlan& plan);

/// The block of a place in a storage of tableBlocks(): (its rows, its columns).
Tensor tableBlock(const EmbeddingPlan& plan, const Tensor& storage, const EmbeddingPlace& place);

/// Adds a table, (rows, columns), that lies where the plan looks up its rows.
Tensor addTable(Graph& graph, const EmbeddingPlan& plan, const OpResult& table);

/// Adds as many indices as planned, (indices), on the tiles that the plan stores them on.
Tensor addIndices(Graph& graph, const EmbeddingPlan& plan, const OpResult& indices);

/// Adds the slices of all serial steps, (indices, columns), where the plan has them after look-ups
/// and expects them before updates.
Tensor addSlices(Graph& graph, const EmbeddingPlan& plan, const OpResult& slices);

/// True when `slices`, (indices, columns), lie as those that addSlices adds.
bool slicesLieAsPlanned(const Graph& graph, const EmbeddingPlan& plan, const Tensor& slices);

/// True when `table`, (rows, columns), lies as a table that addTable adds.
bool liesAsPlanned(const Graph& graph, const EmbeddingPlan& plan, const Tensor& table);

/// A table of `count` rows, as a tensor of any shape and layout that is read row-major. As a matrix
/// it may have many more pieces.
struct RowsOfTable {
  Tensor elements;
  std::uint64_t count;
};

/// The table as (rows, columns) where the plan looks up its rows. Returns the tensor itself when it
/// lies there already, and otherwise a copy, which a step added to `program` makes.
Tensor arrangeTable(Graph& graph, const EmbeddingPlan& plan, const RowsOfTable& rows,
                    const std::string& name, Program& program);

/// The slices of a serial step of a plan, (indices of the step, columns). The indices that a
/// look-up part looks up are one behind the other; within them, each part of the columns is a
/// block.
class StepSlices {
 public:
  StepSlices(const EmbeddingPlan& plan, std::uint64_t step);

  /// The indices of the step.
  [[nodiscard]] const Range& indices() const { return indices_; }
  /// Elements of a storage.
  [[nodiscard]] std::uint64_t elements() const;
  /// The slices of `indices`, which `place` looks up, and of its columns: (indices, columns).
  [[nodiscard]] Tensor slices(const Tensor& storage, const EmbeddingPlace& place,
                              const Range& indices) const;
  /// Puts the slices that each place holds on its tile.
  void map(Graph& graph, const Tensor& storage) const;
  /// All slices: (indices of the step, columns).
  [[nodiscard]] Tensor matrix(const Tensor& storage) const;

 private:
  const EmbeddingPlan& plan_;
  std::uint64_t step_;
  Range indices_;
};

/// Calls `visit` with each place of a plan.
template <typename Visit>
void visitPlaces(const EmbeddingPlan& plan, const Visit& visit) {
  for (std::uint32_t n = 0; n < plan.splits.tiles(); ++n) visit(placeOf(plan.splits, n));
}

}  // namespace ipusim::workloads
