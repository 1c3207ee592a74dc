// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/select.h"

// The literals are those of the formulas in select.h.

namespace ipusim::models {

Cycles selectCycles(const std::vector<std::uint64_t>& regions) {
  std::uint64_t slots = 5;
  for (const std::uint64_t n : regions) slots += 6 + 5 * n;
  return Cycles(slots);
}

Cycles clampCycles(const Architecture& machine, ElementType type,
                   const std::vector<std::uint64_t>& regions) {
  const std::uint64_t vector = machine.vectorWidth(type);
  std::uint64_t slots = 5;
  for (const std::uint64_t n : regions) slots += 6 + 2 * (n + vector - 1) / vector;
  return Cycles(slots);
}

}  // namespace ipusim::models
