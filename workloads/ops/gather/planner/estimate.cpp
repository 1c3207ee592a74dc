// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/estimate.h"

#include <algorithm>
#include <cmath>

#include "models/ipu/cost/elementwise/cast.h"
#include "models/ipu/cost/workers.h"
#include "workloads/ops/gather/planner/memory.h"
#include "workloads/ops/gather/planner/vertex_cycles.h"

namespace ipusim::workloads {
namespace {

using models::largestShare;

Cycles exchangeOf(const PlannedTable& table, Bytes bytes) {
  return cyclesFor(bytes, table.machine.fabric.exchange_rate);
}

bool isOnePoint(const EmbeddingProblem& problem) {
  return problem.distribution == IndexDistribution::OnePoint;
}

/// A worker's indices, and how many of them are expected among the tile's rows.
models::LookUps workersLookUps(const EmbeddingEvaluation& e, std::uint64_t indices) {
  const EmbeddingProblem& problem = e.table.problem;
  const std::uint64_t own = largestShare(e.table.machine, indices);
  if (isOnePoint(problem)) return {own, own};
  if (e.hits == HitRounding::Once) return {own, ceilDiv(own * e.share.rows, problem.rows)};
  const double share = static_cast<double>(e.share.rows) / static_cast<double>(problem.rows);
  return {own, static_cast<std::uint64_t>(std::ceil(static_cast<double>(own) * share))};
}

/// The indices of a tile, and how many of them are expected among the rows of a worker.
models::LookUps tilesLookUps(const EmbeddingEvaluation& e) {
  const EmbeddingProblem& problem = e.table.problem;
  const std::uint64_t indices = e.share.indices;
  const std::uint64_t rows = largestShare(e.table.machine, e.share.rows);
  std::uint64_t found = ceilDiv(indices * rows, problem.rows);
  if (problem.order == IndexOrder::Sorted) {
    found = std::min(ceilDiv(rows * problem.indices, problem.rows), indices);
  }
  if (isOnePoint(problem)) found = indices;
  const std::uint64_t each =
      isOnePoint(problem) ? problem.indices : ceilDiv(problem.indices, problem.rows);
  return {indices, found, e.vertex_order == IndexOrder::Sorted, each};
}

Cycles updateCycles(const EmbeddingEvaluation& e) {
  const PlannedTable& table = e.table;
  const Bytes grain = table.element * table.grain;
  const bool whole_words = grain.value() % table.machine.atomic_store.value() == 0;
  return plannedUpdateCycles(
             table.machine, table.problem.update,
             {table.partials, e.share.columns, tilesLookUps(e), table.problem.indices},
             whole_words ? models::SubWordWrites::Avoided : models::SubWordWrites::Needed) *
         e.share.groups;
}

Cycles castOf(const PlannedTable& table, ElementType from, ElementType to, std::uint64_t elements) {
  return models::castCycles(table.machine, {models::castTypes(from, to), elements});
}

void addCasts(const EmbeddingEvaluation& e, UpdateTerms& terms) {
  const PlannedTable& table = e.table;
  if (!table.casts()) return;
  const ElementType type = table.problem.type;
  const EmbeddingShare& share = e.share;
  terms.cast_slices =
      castOf(table, type, table.partials, share.groups * share.results * share.columns);
  terms.cast_table = castOf(table, type, table.partials, share.groups * share.stored);
  terms.cast_table_back = castOf(table, table.partials, type, share.groups * share.stored);
}

/// Each look-up part updates a table of its own, which are then reduced.
void addReduction(const EmbeddingEvaluation& e, UpdateTerms& terms) {
  const PlannedTable& table = e.table;
  const EmbeddingShare& share = e.share;
  const PartialTables partials{table.problem.update, e.splits.look_ups,
                               share.rows * share.columns * share.groups};
  terms.zero_partials = plannedFillCycles(table.machine, {ElementType::Float, partials.elements});
  const Bytes received = sizeOf(ElementType::Float) * (partials.tables * reducedElements(partials));
  terms.reduce_exchange = exchangeOf(table, received);
  terms.reduce = plannedReduceCycles(table.machine, partials);
  terms.combine = plannedCombineCycles(table.machine, table.problem.update,
                                       {table.problem.type, share.groups * share.stored});
}

}  // namespace

SliceTerms sliceTerms(const EmbeddingEvaluation& e) {
  SliceTerms terms{};
  const PlannedTable& table = e.table;
  if (!isSliced(table.problem.use)) return terms;
  const EmbeddingShare& share = e.share;
  const std::uint64_t all = table.problem.indices;
  (e.splits.broadcast == TableBroadcast::BeforeSteps ? terms.table_before_steps
                                                     : terms.table_exchange) =
      exchangeOf(table, sentTable(e.splits, share));
  terms.look_up = plannedSliceCycles(table.machine, {table.problem.type, share.columns,
                                                     workersLookUps(e, share.indices), all}) *
                  share.groups;
  if (e.splits.rows == 1) return terms;
  const Bytes row = table.element * share.columns * share.groups;
  terms.candidate_exchange = exchangeOf(table, row * (e.splits.rows * share.results));
  // As published, a candidate has as many elements as the row has grains.
  terms.candidate_look_up =
      plannedSliceCycles(table.machine, {table.problem.type, share.column_grains,
                                         workersLookUps(e, share.results), all}) *
      share.groups;
  return terms;
}

UpdateTerms updateTerms(const EmbeddingEvaluation& e) {
  UpdateTerms terms{};
  const PlannedTable& table = e.table;
  if (!isUpdated(table.problem.use)) return terms;
  const EmbeddingShare& share = e.share;
  terms.table_rearrange = exchangeOf(table, share.beyond_even) * 2;
  if (e.splits.rows > 1) {
    const Bytes row = sizeOf(table.partials) * share.columns * share.groups;
    terms.slice_exchange = exchangeOf(table, row * share.indices);
  }
  terms.update = updateCycles(e);
  addCasts(e, terms);
  if (e.splits.look_ups > 1) addReduction(e, terms);
  return terms;
}

EmbeddingTerms embeddingTerms(const EmbeddingEvaluation& e) {
  EmbeddingTerms terms;
  terms.slice = sliceTerms(e);
  terms.update = updateTerms(e);
  terms.slice_temp = sliceTempBytes(e.table, e.splits, e.share);
  terms.update_temp = updateTempBytes(e.table, e.splits, e.share);
  terms.table_storage = e.table.element * e.share.stored;
  terms.exchange_code = embeddingCodeBytes(e.table, e.splits, e.share);
  return terms;
}

bool movesResults(const PlannedTable& table, const EmbeddingSplits& splits,
                  const SliceTerms& terms) {
  const EmbeddingProblem& problem = table.problem;
  if (!isSliced(problem.use)) return true;
  const Bytes results = table.element * problem.indices * problem.groups * problem.columns;
  const BytesPerCycle width(table.machine.data_path.value());
  return cyclesFor(results, width) <=
         terms.look_up * splits.serial * splits.look_ups * splits.columns * splits.groups;
}

}  // namespace ipusim::workloads
