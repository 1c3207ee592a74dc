// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/row_split.h"

#include <algorithm>
#include <numeric>

#include "base/numbers/grain_parts.h"
#include "workloads/ops/reduce/planner/intermediate_stage.h"

namespace ipusim::workloads {

namespace {

// Source of all: as in the header.
constexpr std::uint64_t kWholeCycles = 30;  ///< besides the elements, of a reduction that is whole
constexpr std::uint64_t kSplitCycles = 60;  ///< and of one whose pieces are reduced in turn
constexpr std::uint64_t kLeastPieceRows = 2;
constexpr std::uint64_t kLeastPieceCycles = 4;
constexpr std::uint64_t kEqualCycles = 8;     ///< costs so near to their mean are equal
constexpr std::uint64_t kEqualFraction = 10;  ///< and those within this part of it

std::uint64_t elementCycles(const TileCore& core, const models::ReduceKind& kind,
                            const RowsToSplit& size) {
  return ceilDiv(checkedProduct(size.columns, size.rows),
                 elementsPerCycle(core, kind, size.columns));
}

bool areEqual(const std::vector<std::uint64_t>& costs) {
  const std::uint64_t sum = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
  const std::uint64_t mean = sum / costs.size();
  const std::uint64_t most = std::max(kEqualCycles, mean / kEqualFraction);
  return std::all_of(costs.begin(), costs.end(), [&](std::uint64_t cost) {
    return (cost > mean ? cost - mean : mean - cost) <= most;
  });
}

}  // namespace

std::uint64_t elementsPerCycle(const TileCore& core, const models::ReduceKind& kind,
                               std::uint64_t columns) {
  const std::uint64_t grain = reductionGrain(core, kind.op, kind.partials);
  if (columns % grain == 0 || grain % columns == 0) return grain;
  return columns & (~columns + 1);
}

std::uint64_t pieceCycles(const TileCore& core, const models::ReduceKind& kind,
                          const RowsToSplit& size, std::uint64_t pieces) {
  const std::uint64_t elements = elementCycles(core, kind, size);
  return pieces == 1 ? kWholeCycles + elements : kSplitCycles + elements / pieces;
}

std::vector<std::uint64_t> splitRows(const TileCore& core, const models::ReduceKind& kind,
                                     const std::vector<RowsToSplit>& sizes, std::uint64_t workers) {
  std::vector<std::uint64_t> pieces(sizes.size(), 1);
  std::vector<std::uint64_t> cycles;
  for (const RowsToSplit& size : sizes) cycles.push_back(pieceCycles(core, kind, size, 1));
  if (cycles.empty()) return pieces;
  const std::uint64_t whole = *std::max_element(cycles.begin(), cycles.end());
  for (std::uint64_t used = sizes.size(); used < workers; ++used) {
    const auto slowest =
        static_cast<std::size_t>(std::max_element(cycles.begin(), cycles.end()) - cycles.begin());
    const std::uint64_t more = pieces[slowest] + 1;
    const RowsToSplit& size = sizes[slowest];
    const std::uint64_t next = pieceCycles(core, kind, size, more);
    if (size.rows / more < kLeastPieceRows) break;
    if (elementCycles(core, kind, size) / more < kLeastPieceCycles) break;
    if (next >= cycles[slowest]) break;
    pieces[slowest] = more;
    cycles[slowest] = next;
  }
  const bool is_faster = *std::max_element(cycles.begin(), cycles.end()) < whole;
  return is_faster ? pieces : std::vector<std::uint64_t>(sizes.size(), 1);
}

std::vector<std::size_t> freeWorkers(const std::vector<std::uint64_t>& loads) {
  std::vector<std::size_t> free;
  for (std::size_t w = 0; w < loads.size(); ++w) {
    if (loads[w] == 0) free.push_back(w);
  }
  return free;
}

std::vector<std::size_t> shareAmongWorkers(const std::vector<std::uint64_t>& costs,
                                           std::vector<std::uint64_t> loads) {
  std::vector<std::size_t> worker_of(costs.size());
  if (costs.empty()) return worker_of;
  const std::vector<std::size_t> free = freeWorkers(loads);
  if (!free.empty() && areEqual(costs)) {
    const GrainParts blocks = splitInGrains(costs.size(), {1, free.size()});
    for (std::uint64_t block = 0; block < blocks.parts; ++block) {
      for (std::uint64_t i = blocks.beginOf(block); i < blocks.beginOf(block + 1); ++i) {
        worker_of[i] = free[block];
      }
    }
    return worker_of;
  }
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
  for (const std::size_t i : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    worker_of[i] = static_cast<std::size_t>(least - loads.begin());
    *least += costs[i];
  }
  return worker_of;
}

}  // namespace ipusim::workloads
