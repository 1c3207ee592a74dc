// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Issue slots of a SelectInPlace vertex on one worker with r runs: 5 + r (6 + 5 r). The published
/// estimate takes the number of runs for their elements.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles selectInPlaceCycles(std::uint64_t regions);

/// Issue slots of a BroadcastSelect vertex on one worker, which has two scalars to select from:
/// 10 + sum of 8 + 4 n for types of 4 bytes, 23 + 4 n for halves (30 + 4 n where n is even), and
/// 66 + 17 floor(n / 4) for bools.
/// Source: as above.
Cycles broadcastSelectCycles(ElementType type, const std::vector<std::uint64_t>& regions);

/// Issue slots of a BroadcastSelectorSelect or BroadcastSelectorSelectInPlace vertex on one worker,
/// which copies one of two runs of b bytes: 12 + sum (35 + floor(b / 4) + 5 (b mod 4)).
/// Source: as above.
Cycles broadcastSelectorSelectCycles(ElementType type, const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
