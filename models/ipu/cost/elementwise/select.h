// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Issue slots of a Select vertex on one worker, `regions` elements of each run: 5 + sum (6 + 5 n).
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles selectCycles(const std::vector<std::uint64_t>& regions);

/// Issue slots of a Clamp, ClampInPlace, BroadcastClamp or BroadcastClampInPlace vertex on one
/// worker: 5 + sum (6 + floor(2 (n + V - 1) / V)), integers 5 + sum (6 + 7 n). V is the number of
/// elements of a vector.
/// Source: as above.
Cycles clampCycles(const Architecture& machine, ElementType type,
                   const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
