// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/copy.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Sources: copy.h.
constexpr std::uint64_t kPieceStart = 26;    // slots of a memcpy before its first word
constexpr std::uint64_t kStridedStart = 86;  // slots of a strided copy before its first run
constexpr std::uint64_t kRunStart = 6;       // slots between two runs of a strided copy
constexpr std::uint64_t kPartWordSlots = 4;  // two loads, a shift, a store

/// The function S(r) of copy.h.
std::uint64_t moveSlots(const Architecture& machine, const CopyRun& run) {
  const std::uint64_t bytes = run.bytes.value();
  const std::uint64_t vector = machine.memcpy_rate.value();
  const std::uint64_t word = machine.atomic_store.value();
  if (run.alignment.value() % word != 0) return kPartWordSlots * ceilDiv(bytes, word);
  const std::uint64_t part_word = bytes % word != 0 ? kPartWordSlots : 0;
  if (run.alignment.value() % vector != 0) return bytes / word + part_word;
  return bytes / vector + bytes % vector / word + part_word;
}

}  // namespace

Cycles copyCycles(const Architecture& machine, const CopyShape& shape) {
  std::uint64_t runs = 0;
  std::uint64_t moves = 0;
  std::uint64_t longest = 0;
  for (const CopyRun& run : shape.runs) {
    if (run.count == 0 || run.bytes == Bytes(0)) continue;
    const std::uint64_t slots = moveSlots(machine, run);
    runs += run.count;
    moves += run.count * slots;
    longest = std::max(longest, kRunStart + slots);
  }
  if (runs == 0) return Cycles(0);
  const std::uint64_t pieces =
      kPieceStart * largestShare(machine, runs) + largestShare(machine, moves);
  const std::uint64_t strided =
      kStridedStart + std::max(largestShare(machine, kRunStart * runs + moves), longest);
  return tileCyclesOf(machine, std::min(pieces, strided));
}

Cycles copyWorkerCycles(const Architecture& machine, const CopyRun& run) {
  const std::uint64_t slots = moveSlots(machine, run);
  if (run.count == 1) return Cycles(kPieceStart + slots);
  return Cycles(kStridedStart + run.count * (kRunStart + slots));
}

}  // namespace ipusim::models
