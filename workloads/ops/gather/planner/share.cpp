// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/share.h"

#include <algorithm>

namespace ipusim::workloads {
namespace {

/// A vector of the data path at most, so that it is loaded at once.
std::uint64_t grainOf(const Architecture& machine, const EmbeddingProblem& problem) {
  if (problem.fixed.grain) return *problem.fixed.grain;
  return std::min<std::uint64_t>(problem.columns, machine.vectorWidth(problem.type));
}

}  // namespace

ElementType updatedType(const EmbeddingProblem& problem) {
  return problem.update == RowUpdate::Add ? problem.partials.value_or(problem.type) : problem.type;
}

PlannedTable::PlannedTable(const Architecture& architecture, const EmbeddingProblem& prepared)
    : machine(architecture),
      problem(prepared),
      element(sizeOf(prepared.type)),
      partials(updatedType(prepared)),
      grain(grainOf(architecture, prepared)),
      row_grains(ceilDiv(prepared.columns, grain)) {}

EmbeddingShare shareOf(const PlannedTable& table, const EmbeddingSplits& splits) {
  const EmbeddingProblem& problem = table.problem;
  EmbeddingShare share{};
  share.groups = ceilDiv<std::uint64_t>(problem.groups, splits.groups);
  share.rows = ceilDiv<std::uint64_t>(problem.rows, splits.rows);
  share.column_grains = ceilDiv<std::uint64_t>(table.row_grains, splits.columns);
  share.columns = share.column_grains * table.grain;
  share.indices = ceilDiv(problem.indices, splits.serial * splits.look_ups);
  share.results = ceilDiv<std::uint64_t>(share.indices, splits.rows);
  const std::uint64_t block_grains = share.column_grains * share.rows;
  share.stored = ceilDiv<std::uint64_t>(block_grains, splits.look_ups) * table.grain;
  const Bytes grain_bytes = table.element * table.grain;
  share.block = grain_bytes * block_grains * share.groups;
  const std::uint64_t even =
      ceilDiv<std::uint64_t>(problem.rows * table.row_grains * problem.groups, table.machine.tiles);
  share.beyond_even = excess(share.block, grain_bytes * even);
  return share;
}

Bytes sentTable(const EmbeddingSplits& splits, const EmbeddingShare& share) {
  return splits.look_ups > 1 ? share.block : share.beyond_even;
}

EmbeddingShare withoutIndices(EmbeddingShare share) {
  share.indices = 0;
  share.results = 0;
  return share;
}

}  // namespace ipusim::workloads
