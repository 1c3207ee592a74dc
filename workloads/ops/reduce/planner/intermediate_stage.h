// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/ops/reduce/planner/plan.h"

// The stages between the tiles' own partials and the output.

namespace ipusim::workloads {

/// The columns that a vertex takes at a time: the width of the data path, twice that for sums,
/// which have two such accumulators.
/// Source: graphcore/poplibs lib/popops/reduction/ReductionPlan.cpp (MIT).
std::uint64_t reductionGrain(const TileCore& core, models::ReduceOp op, ElementType partials);

/// True when the final stage would send too much, or would use too few tiles:
///
///   D > 64 C and (M >= 2 sqrt(T) or U <= floor(3 T / 4))
///
/// C is the number of columns, D of partials, M of partials of the deepest column, U of tiles that
/// hold partials, T of tiles.
/// Source: as above.
bool needsIntermediateStage(const Interconnect& tiles, const PartialColumns& partials);

/// Bands that are cut apart only where vertices would be: neighbours of equal depth are one band
/// when the border between them is no multiple of the grain, but one of the smallest store.
/// Source: as above.
std::vector<DepthBand> mergedBands(const TileCore& core, const PartialColumns& partials,
                                   std::uint64_t grain, ElementType type);

/// Columns that a stage reduces alike.
struct ReductionPiece {
  std::uint64_t width;  ///< columns
  std::uint64_t depth;  ///< partials of each
};

/// How many partials of a column of the piece become one, where all tiles have `partials` D:
///
///   n = max(1, floor(depth width / max(1, floor(D / T))))   parts for an even spread
///   n = max(1, floor(depth width / 64))                     if a part of columns would be below 64
///   n = max(1, floor(depth / 2))                            if a part would have under 2 rows
///   rows = max(2, ceil(depth / n))
///
/// Source: as above.
std::uint64_t rowsPerReduction(std::uint64_t tiles, std::uint64_t partials,
                               const ReductionPiece& piece);

/// The reductions of one intermediate stage, dealt to consecutive tiles from `first_tile` on.
/// Columns are cut at the borders of bands, and in grains of at least
///
///   max(grain, floor(floor(narrowest band / grain) / floor(sqrt(floor(D / C)))) grain)
///
/// columns, in at most as many parts as there are tiles.
/// Source: as above.
std::vector<PartialReduction> intermediateReductions(const Architecture& machine,
                                                     const ReduceStage& stage,
                                                     const PartialColumns& sources,
                                                     std::uint32_t first_tile);

/// The partials that such reductions leave.
PartialColumns partialsAfter(const std::vector<PartialReduction>& reductions);

}  // namespace ipusim::workloads
