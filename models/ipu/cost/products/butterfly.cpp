// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/butterfly.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Sources: butterfly.h.
constexpr std::uint64_t kCall = 11;
constexpr std::uint64_t kStart = 20;
/// Issue slots of a line and of each vector of it.
struct LineSlots {
  std::uint64_t line;
  std::uint64_t vector;
};
constexpr LineSlots kPair{10, 6};
constexpr LineSlots kButterflyHalf{8, 3};

Cycles cyclesOf(const Architecture& machine, const ButterflyLines& work, const LineSlots& of) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t lines = largestShare(machine, work.lines);
  const std::uint64_t cuts = std::max<std::uint64_t>(1, workers / work.lines);
  const std::uint64_t vectors =
      ceilDiv(work.elements, std::uint64_t{machine.vectorWidth(work.type)});
  const std::uint64_t slots = kStart + lines * (of.line + of.vector * ceilDiv(vectors, cuts));
  return Cycles(kCall) + tileCyclesOf(machine, slots);
}

}  // namespace

Cycles butterflyPairCycles(const Architecture& machine, const ButterflyLines& lines) {
  return cyclesOf(machine, lines, kPair);
}

Cycles butterflyHalfCycles(const Architecture& machine, const ButterflyLines& lines) {
  return cyclesOf(machine, lines, kButterflyHalf);
}

}  // namespace ipusim::models
