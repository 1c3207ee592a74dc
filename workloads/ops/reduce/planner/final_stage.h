// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/ops/reduce/planner/plan.h"

// The last stage of a reduction: where it is, and what it takes there.

namespace ipusim::workloads {

/// Where a final stage may be.
struct FinalSizes {
  std::uint64_t columns;
  std::uint64_t most_outputs;  ///< outputs of the tile that is given most
  std::uint64_t depth;         ///< partials of the last column
  ElementType partials;
  ElementType output;
};

/// Cycles of a final stage on the tiles of the output:
///
///   ceil(m b / 4) + K ceil(m / V) + sync
///
/// m is the most outputs on a tile, b the bytes of a partial, K the depth, V the partials of a
/// load. The depth is that of the last column and not that of the deepest one, as published.
/// Source: graphcore/poplibs lib/popops/reduction/ReductionPlan.cpp (MIT).
/// Calibrated: no.
Cycles atOutputCycles(const Architecture& machine, const FinalSizes& sizes, Cycles sync);

/// Cycles of a final stage on all tiles, from where the outputs go to their places:
///
///   ceil(g K b / 4) + K ceil(g / V) + ceil(m b_out / 4) + 2 sync,  g = 8 ceil(ceil(C / 8) / T)
///
/// Source: as above.
/// Calibrated: no.
Cycles balancedCycles(const Architecture& machine, const FinalSizes& sizes, Cycles sync);

/// The final stage for partials of type `stage.partials`. Without a given output, the columns are
/// reduced on a linear layout, at least four vectors of accumulators on a tile. Given an output,
/// they are reduced there if that takes fewer cycles than on such a layout.
/// Source: as above.
FinalStage finalStage(const Architecture& machine, const ReduceProblem& problem,
                      const ReduceStage& stage, PartialColumns sources);

/// The only stage of a reduction whose columns are each on one tile.
FinalStage onTileFinalStage(const Architecture& machine, const ReduceProblem& problem,
                            PartialColumns sources);

}  // namespace ipusim::workloads
