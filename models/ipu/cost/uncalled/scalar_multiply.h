// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/elementwise/op_placement.h"

namespace ipusim::models {

/// Tile cycles of a ScalarMultiply1D(Inplace) vertex, n halves by one float, all W workers:
///
///   W (51 + the largest over workers w of loop(q) + tail(r))
///   q = floor((n + 4 (W - 1 - w)) / 4 W) vectors of four; r: n mod 4 for the worker
///   floor((n mod 4 W - 1) / 4), 0 for the others
///   loop(q) = 1 + (7 + 5 (q - 1) if q > 0);  tail(r) = 1, 14, 13, 19 for r = 0 .. 3
///
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: halves.
Cycles scalarMultiplyCycles(const Architecture& machine, std::uint64_t elements);

/// Issue slots of a ScalarMultiply2D(Inplace) vertex on one worker: 37 (in place 36) + sum (17 +
/// loop(floor(n / 4)) + tail(n mod 4)).
/// Source: as above.
Cycles scalarMultiply2dCycles(OpPlacement placement, const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
