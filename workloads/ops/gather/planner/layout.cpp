// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/layout.h"

#include <algorithm>

#include "workloads/ops/gather/planner/memory.h"
#include "workloads/ops/gather/planner/share.h"

namespace ipusim::workloads {
namespace {

/// From here on slices are copied once, and not sent to all parts of the rows from where they are.
constexpr std::uint32_t kRowPartsOfCopiedSlices = 4;  // DynamicSlice.cpp, multiUpdateOp

/// Part `index` of parts of equal length. The last ones lack elements, or all of them.
Range partOf(const Range& whole, std::uint64_t length, std::uint64_t index) {
  const auto at = [&](std::uint64_t part) {
    return whole.begin + std::min(whole.size(), length * part);
  };
  return {at(index), at(index + 1)};
}

Range equalPart(std::uint64_t size, std::uint64_t parts, std::uint64_t index) {
  return partOf({0, size}, ceilDiv(size, parts), index);
}

}  // namespace

std::uint32_t placeNumber(const EmbeddingSplits& splits, const EmbeddingPlace& place) {
  return ((place.group * splits.look_ups + place.look_up) * splits.rows + place.row) *
             splits.columns +
         place.column;
}

EmbeddingPlace placeOf(const EmbeddingSplits& splits, std::uint32_t number) {
  EmbeddingPlace place;
  place.column = number % splits.columns;
  number /= splits.columns;
  place.row = number % splits.rows;
  number /= splits.rows;
  place.look_up = number % splits.look_ups;
  place.group = number / splits.look_ups;
  return place;
}

TileId tileOf(const EmbeddingPlan& plan, const EmbeddingPlace& place) {
  return TileId((plan.first_tile + placeNumber(plan.splits, place)) % plan.machine_tiles);
}

TableBlock blockOf(const EmbeddingPlan& plan, const EmbeddingPlace& place) {
  const EmbeddingProblem& problem = plan.problem;
  return {equalPart(problem.groups, plan.splits.groups, place.group),
          equalPart(problem.rows, plan.splits.rows, place.row),
          equalPart(problem.columns, plan.splits.columns, place.column)};
}

Range storedElements(const EmbeddingPlan& plan, const EmbeddingPlace& place) {
  const std::uint64_t elements = blockOf(plan, place).elements();
  const std::uint64_t grains = ceilDiv(elements, plan.storage_grain);
  const std::uint64_t share =
      ceilDiv<std::uint64_t>(grains, plan.splits.look_ups) * plan.storage_grain;
  return partOf({0, elements}, share, place.look_up);
}

Range lookedUpIndices(const EmbeddingPlan& plan, std::uint64_t step, const EmbeddingPlace& place) {
  const EmbeddingSplits& splits = plan.splits;
  const std::uint64_t of_step = ceilDiv(plan.problem.indices, splits.serial);
  const Range indices = partOf({0, plan.problem.indices}, of_step, step);
  return partOf(indices, ceilDiv<std::uint64_t>(of_step, splits.look_ups), place.look_up);
}

Range heldSlices(const EmbeddingPlan& plan, std::uint64_t step, const EmbeddingPlace& place) {
  const EmbeddingSplits& splits = plan.splits;
  const std::uint64_t looked_up = ceilDiv(plan.problem.indices, splits.serial * splits.look_ups);
  return partOf(lookedUpIndices(plan, step, place), ceilDiv<std::uint64_t>(looked_up, splits.rows),
                place.row);
}

std::vector<Range> storedIndices(const EmbeddingPlan& plan) {
  const std::uint64_t all = plan.problem.indices * plan.problem.groups;
  const std::uint64_t most_parts = std::max<std::uint64_t>(1, all / kLeastIndicesPerTile);
  const std::uint64_t share =
      std::max(ceilDiv<std::uint64_t>(all, plan.machine_tiles), ceilDiv(all, most_parts));
  return evenRanges(all, ceilDiv(all, share));
}

bool hasCandidates(const EmbeddingPlan& plan) {
  return plan.splits.rows > 1;
}

bool hasPartialTables(const EmbeddingPlan& plan) {
  return plan.splits.look_ups > 1 || updatedType(plan.problem) != plan.problem.type;
}

bool copiesSlicesFirst(const EmbeddingPlan& plan) {
  return plan.splits.rows >= kRowPartsOfCopiedSlices ||
         updatedType(plan.problem) != plan.problem.type;
}

}  // namespace ipusim::workloads
