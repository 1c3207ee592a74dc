// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/select.h"

#include "models/ipu/cost/regions.h"

// The literals are those of the formulas in select.h.

namespace ipusim::models {

Cycles selectCycles(const std::vector<std::uint64_t>& regions) {
  return regionCycles(5, regions, [](std::uint64_t n) { return 6 + 5 * n; });
}

Cycles clampCycles(const Architecture& machine, ElementType type,
                   const std::vector<std::uint64_t>& regions) {
  if (type == ElementType::Int32 || type == ElementType::UInt32) {
    return regionCycles(5, regions, [](std::uint64_t n) { return 6 + 7 * n; });
  }
  const std::uint64_t vector = machine.vectorWidth(type);
  return regionCycles(5, regions,
                      [vector](std::uint64_t n) { return 6 + 2 * (n + vector - 1) / vector; });
}

}  // namespace ipusim::models
