// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/scalar_multiply.h"

#include <algorithm>
#include <array>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in scalar_multiply.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kVector = 4;
constexpr std::array<std::uint64_t, kVector> kTail{1, 14, 13, 19};

std::uint64_t loopSlots(std::uint64_t vectors) {
  return 1 + (vectors > 0 ? 7 + 5 * (vectors - 1) : 0);
}

}  // namespace

Cycles scalarMultiplyCycles(const Architecture& machine, std::uint64_t elements) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t of_last_round = elements % (kVector * workers);
  // When the last round is empty, there is no rest.
  const std::uint64_t with_rest = ceilDiv(of_last_round, kVector);
  std::uint64_t slowest = 0;
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    const std::uint64_t vectors =
        (elements + kVector * (workers - 1 - worker)) / (kVector * workers);
    const std::uint64_t rest = worker + 1 == with_rest ? elements % kVector : 0;
    slowest = std::max(slowest, loopSlots(vectors) + kTail.at(rest));
  }
  return tileCyclesOf(machine, 51 + slowest);
}

Cycles scalarMultiply2dCycles(OpPlacement placement, const std::vector<std::uint64_t>& regions) {
  std::uint64_t slots = placement == OpPlacement::InPlace ? 36 : 37;
  for (const std::uint64_t n : regions)
    slots += 17 + loopSlots(n / kVector) + kTail.at(n % kVector);
  return Cycles(slots);
}

}  // namespace ipusim::models
