// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "models/ipu/cost/reductions/reduce.h"

// How much a reduction on a tile costs before its vertex is known, and when its rows are split.
// Source: graphcore/poplibs lib/popops/reduction/ReductionConnection.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The size of a reduction on a tile.
struct RowsToSplit {
  std::uint64_t columns;
  std::uint64_t rows;
};

/// Elements that a worker is taken to reduce in a cycle: the grain of the reduction where the
/// columns are a multiple of it, or divide it. Elsewhere the largest power of two that divides the
/// columns.
std::uint64_t elementsPerCycle(const TileCore& core, const models::ReduceKind& kind,
                               std::uint64_t columns);

/// The worker's cycles for one of `pieces` pieces of a reduction:
///
///   30 + ceil(elements / elements per cycle)                      for one piece
///   60 + floor(ceil(elements / elements per cycle) / pieces)      for more
std::uint64_t pieceCycles(const TileCore& core, const models::ReduceKind& kind,
                          const RowsToSplit& size, std::uint64_t pieces);

/// The number of pieces in which each reduction is reduced by workers of their own. The slowest one
/// gets one more worker, while there is one. That ends when a piece would have less than two rows
/// or than four cycles of reducing, or would not take less time. All stay whole when the slowest
/// one does not get faster.
std::vector<std::uint64_t> splitRows(const TileCore& core, const models::ReduceKind& kind,
                                     const std::vector<RowsToSplit>& sizes, std::uint64_t workers);

/// The rows of the largest of `pieces` pieces. Pieces of so many rows may be fewer.
inline std::uint64_t rowsPerPiece(std::uint64_t rows, std::uint64_t pieces) {
  return ceilDiv(rows, pieces);
}

/// The workers that have nothing to do yet.
std::vector<std::size_t> freeWorkers(const std::vector<std::uint64_t>& loads);

/// The worker of each reduction. Costs that all are within max(8, a tenth of the mean) of the mean
/// count as equal.
std::vector<std::size_t> shareAmongWorkers(const std::vector<std::uint64_t>& costs,
                                           std::vector<std::uint64_t> loads);

}  // namespace ipusim::workloads
