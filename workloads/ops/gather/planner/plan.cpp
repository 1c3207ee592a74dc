// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "ipusim/error.h"
#include "workloads/ops/gather/planner/estimate.h"
#include "workloads/ops/gather/planner/problem.h"
#include "workloads/ops/gather/planner/search.h"

namespace ipusim::workloads {
namespace {

Bytes memoryBound(const Architecture& machine, const EmbeddingProblem& problem) {
  const double bytes =
      static_cast<double>(machine.sram_per_tile.value()) * problem.available_memory_proportion;
  return Bytes(static_cast<std::uint64_t>(std::floor(bytes)));
}

struct OrderedEmbedding {
  IndexOrder order;
  FoundEmbedding found;
};

/// Vertices that search are tried when the indices ascend, and must save cycles.
std::optional<OrderedEmbedding> searchOrders(const PlannedTable& table, Bytes bound) {
  const auto plain = searchEmbedding(table, IndexOrder::Any, bound);
  if (!plain) return std::nullopt;
  const EmbeddingProblem& problem = table.problem;
  if (isUpdated(problem.use) && problem.order == IndexOrder::Sorted) {
    const auto sorted = searchEmbedding(table, IndexOrder::Sorted, bound);
    if (sorted && sorted->cycles < plain->cycles)
      return OrderedEmbedding{IndexOrder::Sorted, *sorted};
  }
  return OrderedEmbedding{IndexOrder::Any, *plain};
}

EmbeddingPlan planOf(const PlannedTable& table, const OrderedEmbedding& best, Bytes bound) {
  const EmbeddingSplits& splits = best.found.splits;
  const EmbeddingShare share = shareOf(table, splits);
  EmbeddingPlan plan;
  plan.problem = table.problem;
  plan.machine_tiles = table.machine.tiles;
  plan.grain = table.grain;
  plan.storage_grain =
      std::lcm<std::uint64_t>(table.grain, table.machine.vectorWidth(table.problem.type));
  plan.splits = splits;
  plan.vertex_order = best.order;
  plan.terms = embeddingTerms({table, splits, share, best.order});
  plan.cycles = best.found.cycles;
  plan.temp = plan.terms.temp();
  plan.bound = bound;
  return plan;
}

}  // namespace

Cycles SliceTerms::step() const {
  return table_exchange + look_up + candidate_exchange + candidate_look_up;
}

Cycles SliceTerms::total(std::uint64_t steps) const {
  return table_before_steps + step() * steps;
}

Cycles UpdateTerms::step() const {
  return table_rearrange + cast_slices + zero_partials + slice_exchange + update + reduce_exchange +
         reduce + cast_table + combine + cast_table_back;
}

Cycles EmbeddingTerms::total(std::uint64_t steps) const {
  return slice.total(steps) + update.step() * steps;
}

Bytes EmbeddingTerms::temp() const {
  return std::max(slice_temp, update_temp);
}

bool EmbeddingPlan::isLimited() const {
  return bound != kNoEmbeddingBound;
}

EmbeddingPlan planEmbedding(const Architecture& machine, const EmbeddingProblem& problem) {
  requirePlannable(problem);
  const PlannedTable table(machine, problem);
  for (const Bytes bound : {memoryBound(machine, problem), kNoEmbeddingBound}) {
    if (const auto best = searchOrders(table, bound)) return planOf(table, *best, bound);
  }
  throw ConfigError("embedding: no plan has the splits that are fixed");
}

}  // namespace ipusim::workloads
