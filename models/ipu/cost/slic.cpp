// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/slic.h"

#include <algorithm>
#include <numeric>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in slic.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kGroupsAtATime = 4;  // conv groups that the engines hold at once

/// The first sub-kernel writes the partials. Each further one adds to them.
enum class Partials : std::uint8_t { Written, AddedTo };

bool hasFloatPartials(const SlicShape& shape) {
  return shape.partials == ElementType::Float;
}

/// The condition h8 of slic.h.
bool isTwoPassHalf(const SlicShape& shape) {
  return shape.chains == 2 && !hasFloatPartials(shape);
}

bool hasManyGroups(const SlicShape& shape) {
  return shape.conv_groups_per_group > kGroupsAtATime;
}

/// Cycles of a loop over n between its turns.
std::uint64_t branches(std::uint64_t n) {
  return 6 * (n - 1) + 1;
}

std::uint64_t stridedPieceSlots(std::uint64_t n) {
  if (n == 1) return 13;
  return n == 2 ? 15 : 9 + 2 * n;
}

std::uint64_t pieceSlots(const SlicShape& shape, Partials partials, std::uint64_t n) {
  if (shape.out_stride != 1) return stridedPieceSlots(n);
  const bool adds = partials == Partials::AddedTo;
  const std::uint64_t pipeline = isTwoPassHalf(shape) ? 6 : 5;
  if (n >= pipeline) return 10 + n + (isTwoPassHalf(shape) && adds ? 3 : 0);
  if (n == 1) return 13;
  return (adds ? 17 : 13) + n;
}

std::uint64_t workerSlots(const SlicShape& shape, Partials partials,
                          const std::vector<std::uint64_t>& pieces) {
  const std::uint64_t floats = hasFloatPartials(shape) ? 1 : 0;
  const std::uint64_t passes = shape.chains == 2 ? 2 : 1;
  const std::uint64_t piece =
      (isTwoPassHalf(shape) ? 9 : 10) + (partials == Partials::Written ? 1 : 0) + 3 * floats;
  std::uint64_t slots = 17 + (hasManyGroups(shape) ? 4 : 0) + (isTwoPassHalf(shape) ? 2 : 0);
  for (const std::uint64_t n : pieces) {
    slots += piece + passes * (pieceSlots(shape, partials, n) - floats);
  }
  return slots;
}

/// The function inner(z) of slic.h.
Cycles innerCycles(const Architecture& machine, const SlicShape& shape, Partials partials,
                   const WorkerRows& rows) {
  std::uint64_t slowest = 0;
  std::uint64_t field = 0;
  for (const std::vector<std::uint64_t>& pieces : rows) {
    slowest = std::max(slowest, workerSlots(shape, partials, pieces));
    field = std::accumulate(pieces.begin(), pieces.end(), field);
  }
  const bool zeroes = isTwoPassHalf(shape) && partials == Partials::Written;
  return tileCyclesOf(machine, slowest) + Cycles(zeroes ? 2 + 2 * field : 0);
}

/// The value w of slic.h.
Cycles weightCycles(const Architecture& machine, const SlicShape& shape) {
  if (shape.chans_per_group == 4) return Cycles(34);
  const std::uint64_t slots =
      (shape.conv_groups_per_group == 2 ? 12 : 10) + (hasManyGroups(shape) ? 1 : 0);
  return Cycles(37) + tileCyclesOf(machine, slots);
}

Cycles blockCycles(const Architecture& machine, const SlicShape& shape) {
  const Cycles weights = weightCycles(machine, shape);
  if (!hasManyGroups(shape)) return weights + Cycles(isTwoPassHalf(shape) ? 16 : 20);
  const std::uint64_t turns = shape.conv_groups_per_group / kGroupsAtATime;
  return (weights + Cycles(21)) * turns + Cycles(branches(turns) + 15);
}

}  // namespace

Cycles slicCycles(const Architecture& machine, const SlicShape& shape, const WorkerRows& rows) {
  const bool h8 = isTwoPassHalf(shape);
  const std::uint64_t groups = shape.conv_group_groups;
  const std::uint64_t body = (h8 ? 12 : 15) + (hasManyGroups(shape) ? 8 : 0);
  const std::uint64_t turns =
      hasManyGroups(shape) ? shape.conv_groups_per_group / kGroupsAtATime : 1;
  const Cycles first = innerCycles(machine, shape, Partials::Written, rows);
  const Cycles other = innerCycles(machine, shape, Partials::AddedTo, rows) * turns;
  return Cycles((h8 ? 25 : 28) + body * groups + branches(groups) + branches(shape.sub_kernels)) +
         blockCycles(machine, shape) * shape.sub_kernels + first * groups +
         other * (groups * (shape.sub_kernels - 1));
}

}  // namespace ipusim::models
