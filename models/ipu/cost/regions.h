// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/units.h"

// The library has most elementwise vertices in two forms: 1D, one run that all workers of the tile
// share, and 2D, a list of runs on one worker.

namespace ipusim::models {

/// A vertex of the 1D form.
template <typename Kind>
struct RunShape {
  Kind kind;
  std::uint64_t elements;
};

/// A vertex of the 2D form.
template <typename Kind>
struct RegionsShape {
  Kind kind;
  std::vector<std::uint64_t> regions;  ///< elements of each run
};

/// Issue slots of a vertex on one worker: `start` and then slots(n) for each run of n elements.
template <typename Slots>
Cycles regionCycles(std::uint64_t start, const std::vector<std::uint64_t>& regions,
                    const Slots& slots) {
  std::uint64_t sum = start;
  for (const std::uint64_t elements : regions) sum += slots(elements);
  return Cycles(sum);
}

}  // namespace ipusim::models
