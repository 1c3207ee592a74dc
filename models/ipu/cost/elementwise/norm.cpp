// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/norm.h"

#include "models/ipu/cost/regions.h"

// The literals are those of the formulas in norm.h.

namespace ipusim::models {

Cycles inverseStdDeviationCycles(const std::vector<std::uint64_t>& regions) {
  return regionCycles(6, regions,
                      [](std::uint64_t n) { return 4 + 5 * ceilDiv(n, std::uint64_t{2}); });
}

}  // namespace ipusim::models
