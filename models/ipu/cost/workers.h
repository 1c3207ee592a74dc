// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The share of the busiest worker when `amount` is spread evenly over a tile's workers.
inline std::uint64_t largestShare(const Architecture& machine, std::uint64_t amount) {
  return ceilDiv(amount, std::uint64_t{machine.workers_per_tile});
}

/// Tile cycles in which every worker issues `slots` instructions. The workers take turns.
inline Cycles tileCyclesOf(const Architecture& machine, std::uint64_t slots) {
  return Cycles(slots * machine.workers_per_tile);
}

}  // namespace ipusim::models
