// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/select_forms.h"

#include "models/ipu/cost/regions.h"

// The literals are those of the formulas in select_forms.h.

namespace ipusim::models {

Cycles selectInPlaceCycles(std::uint64_t regions) {
  return Cycles(5 + regions * (6 + 5 * regions));
}

Cycles broadcastSelectCycles(ElementType type, const std::vector<std::uint64_t>& regions) {
  return regionCycles(10, regions, [type](std::uint64_t n) -> std::uint64_t {
    if (type == ElementType::Bool) return 66 + 17 * (n / 4);
    if (type == ElementType::Half) return (n % 2 == 0 ? 30 : 23) + 4 * n;
    return 8 + 4 * n;
  });
}

Cycles broadcastSelectorSelectCycles(ElementType type, const std::vector<std::uint64_t>& regions) {
  return regionCycles(12, regions, [type](std::uint64_t n) {
    const std::uint64_t bytes = (n * sizeOf(type)).value();
    return 35 + bytes / 4 + 5 * (bytes % 4);
  });
}

}  // namespace ipusim::models
