// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/butterfly.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Sources: butterfly.h.
constexpr std::uint64_t kCall = 11;
constexpr std::uint64_t kStart = 20;
constexpr std::uint64_t kPairLine = 10;
constexpr std::uint64_t kPairVector = 6;
constexpr std::uint64_t kHalfLine = 8;
constexpr std::uint64_t kHalfVector = 3;

Cycles cyclesOf(const Architecture& machine, const ButterflyLines& work, std::uint64_t of_line,
                std::uint64_t of_vector) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t lines = largestShare(machine, work.lines);
  const std::uint64_t cuts = std::max<std::uint64_t>(1, workers / work.lines);
  const std::uint64_t vectors =
      ceilDiv(work.elements, std::uint64_t{machine.vectorWidth(work.type)});
  const std::uint64_t slots = kStart + lines * (of_line + of_vector * ceilDiv(vectors, cuts));
  return Cycles(kCall) + tileCyclesOf(machine, slots);
}

}  // namespace

Cycles butterflyPairCycles(const Architecture& machine, const ButterflyLines& lines) {
  return cyclesOf(machine, lines, kPairLine, kPairVector);
}

Cycles butterflyHalfCycles(const Architecture& machine, const ButterflyLines& lines) {
  return cyclesOf(machine, lines, kHalfLine, kHalfVector);
}

}  // namespace ipusim::models
