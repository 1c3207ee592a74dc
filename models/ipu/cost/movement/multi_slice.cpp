// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/multi_slice.h"

#include <numeric>

#include "base/numbers/powers_of_two.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in multi_slice.h.

namespace ipusim::models {
namespace {

/// Slots of the search for the first offset when offsets are sorted. `entry` is what the start
/// takes.
std::uint64_t searchSlots(const LookUps& look_ups, std::uint64_t entry) {
  if (!look_ups.sorted) return 0;
  return 20 * ceilLog2(look_ups.offsets) + 15 * look_ups.offsets_per_entry + entry;
}

/// Slots for the offsets that are out of range. A search saves them.
std::uint64_t missSlots(const LookUps& look_ups, std::uint64_t per_miss) {
  return look_ups.sorted ? 0 : per_miss * (look_ups.offsets - look_ups.in_range);
}

bool hasHalfSize(const MultiUpdateShape& shape) {
  return sizeOf(shape.type) == Bytes(2);
}

bool isScaled(const MultiUpdateShape& shape) {
  return shape.op == UpdateOp::ScaledAdd || shape.scaled_anyway;
}

/// True for halves that a float scales.
bool isMixed(const MultiUpdateShape& shape) {
  return isScaled(shape) && hasHalfSize(shape) && shape.scale == ElementType::Float;
}

/// True when slices of exactly this size have their own code. The size alone decides.
bool hasOwnCode(const MultiUpdateShape& shape) {
  return shape.op == UpdateOp::ScaledAdd &&
         (shape.elements == 4 || (!hasHalfSize(shape) && shape.elements == 2));
}

std::uint64_t startSlots(const MultiUpdateShape& shape) {
  const std::uint64_t scaled = hasHalfSize(shape) ? 4 : 6;
  return (hasHalfSize(shape) ? 33 : 32) + (isScaled(shape) ? scaled : 0) -
         (hasOwnCode(shape) ? 1 : 0) + searchSlots(shape.look_ups, 24);
}

std::uint64_t ownCodeSlots(const MultiUpdateShape& shape) {
  if (!hasHalfSize(shape)) return shape.elements == 2 ? 8 : 16;
  return isMixed(shape) ? 12 : 9;
}

/// The value `update` of multi_slice.h.
std::uint64_t updateSlots(const MultiUpdateShape& shape) {
  const std::uint64_t first = hasHalfSize(shape) ? 12 + (isScaled(shape) ? 1 : 0) : 11;
  if (shape.sub_word == SubWordWrites::Needed) return first + 20 * shape.elements;
  if (hasOwnCode(shape)) return ownCodeSlots(shape);
  const std::uint64_t size = sizeOf(shape.type).value();
  const std::uint64_t at_a_time = std::lcm(shape.atomic_store.value(), size) / size;
  const std::uint64_t stores = ceilDiv(shape.elements, at_a_time);
  return first + (stores - 1) * (isMixed(shape) ? 4 : 3);
}

}  // namespace

Cycles multiSliceCycles(const Architecture& machine, const MultiSliceShape& shape) {
  const bool bytes = shape.element == Bytes(1);
  auto groups = ceilDiv<std::uint64_t>(shape.elements, bytes ? 4 : 2);
  if (shape.split == SliceSplit::SingleRegion) groups = largestShare(machine, groups);
  const std::uint64_t start = shape.direction == SliceDirection::Slice ? 30 : 29;
  const std::uint64_t slots = start + shape.look_ups.in_range * (19 + (bytes ? 3 : 2) * groups) +
                              missSlots(shape.look_ups, 8) + searchSlots(shape.look_ups, 29);
  return tileCyclesOf(machine, slots);
}

Cycles multiUpdateCycles(const Architecture& machine, const MultiUpdateShape& shape) {
  const std::uint64_t start = startSlots(shape);
  if (shape.look_ups.offsets == 0) return Cycles(start);
  return tileCyclesOf(
      machine, start + updateSlots(shape) * shape.look_ups.in_range + missSlots(shape.look_ups, 5));
}

}  // namespace ipusim::models
