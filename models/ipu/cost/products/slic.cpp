// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/slic.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in slic.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kGroupsAtATime = 4;  // conv groups that the engines hold at once

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

/// The function piece(n) of slic.h, without fp.
std::uint64_t passSlots(const SlicShape& shape, SlicPartials partials, std::uint64_t n) {
  if (shape.out_stride != 1) return stridedPieceSlots(n);
  const bool adds = partials == SlicPartials::AddedTo;
  const std::uint64_t pipeline = isTwoPassHalf(shape) ? 6 : 5;
  if (n >= pipeline) return 10 + n + (isTwoPassHalf(shape) && adds ? 3 : 0);
  if (n == 1) return 13;
  return (adds ? 17 : 13) + n;
}

/// The function inner(z) of slic.h.
Cycles innerCycles(const Architecture& machine, const SlicShape& shape, SlicPartials partials,
                   const SlicWorkers& workers) {
  const bool writes = partials == SlicPartials::Written;
  const std::uint64_t slowest = writes ? workers.slowest_written : workers.slowest_added;
  const bool zeroes = isTwoPassHalf(shape) && writes;
  return tileCyclesOf(machine, slowest) + Cycles(zeroes ? 2 + 2 * workers.field : 0);
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

std::uint64_t slicStartSlots(const SlicShape& shape) {
  return 17 + (hasManyGroups(shape) ? 4 : 0) + (isTwoPassHalf(shape) ? 2 : 0);
}

std::uint64_t slicPieceSlots(const SlicShape& shape, SlicPartials partials,
                             std::uint64_t positions) {
  const std::uint64_t floats = hasFloatPartials(shape) ? 1 : 0;
  const std::uint64_t passes = shape.chains == 2 ? 2 : 1;
  const std::uint64_t start =
      (isTwoPassHalf(shape) ? 9 : 10) + (partials == SlicPartials::Written ? 1 : 0) + 3 * floats;
  return start + passes * (passSlots(shape, partials, positions) - floats);
}

Cycles slicCycles(const Architecture& machine, const SlicShape& shape, const WorkerRows& rows) {
  SlicWorkers workers{0, 0, 0};
  for (const std::vector<std::uint64_t>& pieces : rows) {
    std::uint64_t written = slicStartSlots(shape);
    std::uint64_t added = written;
    for (const std::uint64_t n : pieces) {
      written += slicPieceSlots(shape, SlicPartials::Written, n);
      added += slicPieceSlots(shape, SlicPartials::AddedTo, n);
      workers.field += n;
    }
    workers.slowest_written = std::max(workers.slowest_written, written);
    workers.slowest_added = std::max(workers.slowest_added, added);
  }
  return slicCyclesOf(machine, shape, workers);
}

Cycles slicCyclesOf(const Architecture& machine, const SlicShape& shape,
                    const SlicWorkers& workers) {
  const bool h8 = isTwoPassHalf(shape);
  const std::uint64_t groups = shape.conv_group_groups;
  const std::uint64_t body = (h8 ? 12 : 15) + (hasManyGroups(shape) ? 8 : 0);
  const std::uint64_t turns =
      hasManyGroups(shape) ? shape.conv_groups_per_group / kGroupsAtATime : 1;
  const Cycles first = innerCycles(machine, shape, SlicPartials::Written, workers);
  const Cycles other = innerCycles(machine, shape, SlicPartials::AddedTo, workers) * turns;
  return Cycles((h8 ? 25 : 28) + body * groups + branches(groups) + branches(shape.sub_kernels)) +
         blockCycles(machine, shape) * shape.sub_kernels + first * groups +
         other * (groups * (shape.sub_kernels - 1));
}

}  // namespace ipusim::models
