// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/has_nan.h"

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in has_nan.h.

namespace ipusim::models {
namespace {

std::uint64_t bitOf(std::uint64_t elements, std::uint64_t mask) {
  return (elements & mask) != 0 ? 1 : 0;
}

std::uint64_t infSlots(const HasNaNKind& kind) {
  return kind.what == NonFiniteValues::NaNOrInf ? 1 : 0;
}

/// The function h of has_nan.h.
std::uint64_t scanSlots(const HasNaNKind& kind, std::uint64_t n) {
  const std::uint64_t rest = 2 * bitOf(n, 2) + bitOf(n, 1);
  if (kind.type == ElementType::Float) return 10 + (2 + infSlots(kind)) * (n / 4) + rest;
  if (kind.what == NonFiniteValues::NaN) return 12 + 3 * (n / 4) + rest;
  return 12 + 2 * (n / 8) + 2 * (bitOf(n, 4) + bitOf(n, 2) + bitOf(n, 1));
}

/// Slots after the scan, which write the result.
std::uint64_t endSlots(const HasNaNKind& kind) {
  return (kind.type == ElementType::Float ? 7 : 11) + infSlots(kind);
}

}  // namespace

Cycles hasNaNCycles(const Architecture& machine, const HasNaNKind& kind, std::uint64_t elements) {
  const std::uint64_t width = machine.vectorWidth(kind.type);
  const std::uint64_t most = largestShare(machine, elements / width) * width + elements % width;
  return Cycles(24) + tileCyclesOf(machine, 17 + scanSlots(kind, most) + endSlots(kind));
}

Cycles hasNaN2dCycles(const Architecture& machine, const HasNaNKind& kind,
                      const std::vector<std::uint64_t>& regions) {
  if (regions.empty()) return tileCyclesOf(machine, 1);
  std::uint64_t slots = 9 + endSlots(kind);
  for (const std::uint64_t n : regions) slots += scanSlots(kind, n);
  return tileCyclesOf(machine, slots);
}

}  // namespace ipusim::models
