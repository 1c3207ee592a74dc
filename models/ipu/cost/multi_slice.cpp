// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/multi_slice.h"

#include "models/ipu/cost/workers.h"
#include "sim/base/powers_of_two.h"

// The literals are those of the formulas in multi_slice.h.

namespace ipusim::models {
namespace {

/// Of the offsets that are not in range, or of the search that spares them.
std::uint64_t missSlots(const LookUps& look_ups, std::uint64_t per_miss, std::uint64_t search) {
  if (!look_ups.sorted) return per_miss * (look_ups.offsets - look_ups.in_range);
  return 20 * ceilLog2(look_ups.offsets) + 15 * look_ups.offsets_per_entry + search;
}

struct UpdateSlots {
  std::uint64_t start;
  std::uint64_t update;
};

/// Four halves: the scaled code for them has a shorter start, also where it writes in parts.
UpdateSlots halfSlots(const MultiUpdateShape& shape, std::uint64_t stores) {
  const bool scaled = shape.op == UpdateOp::ScaledAdd;
  const bool by_float = scaled && shape.scale == ElementType::Float;
  const bool parts = shape.sub_word == SubWordWrites::Needed;
  const bool four = scaled && shape.elements == 4;
  const bool shorter = four || (parts && !scaled);
  const std::uint64_t start = 33 + (scaled ? 4 : 0) - (shorter ? 1 : 0);
  if (parts) return {start, 13 + 20 * shape.elements};
  if (four) return {start, by_float ? 12U : 9U};
  return {start, (scaled ? 13 : 12) + (stores - 1) * (by_float ? 4 : 3)};
}

UpdateSlots wordSlots(const MultiUpdateShape& shape, std::uint64_t stores) {
  if (shape.op != UpdateOp::ScaledAdd) return {32, 11 + (stores - 1) * 3};
  if (shape.elements == 2) return {37, 8};
  if (shape.elements == 4) return {37, 16};
  return {38, 11 + (stores - 1) * 3};
}

}  // namespace

Cycles multiSliceCycles(const Machine& machine, const MultiSliceShape& shape) {
  const bool bytes = shape.element == Bytes(1);
  std::uint64_t groups = ceilDiv<std::uint64_t>(shape.elements, bytes ? 4 : 2);
  if (shape.split == SliceSplit::SingleRegion) groups = largestShare(machine, groups);
  const std::uint64_t start = shape.direction == SliceDirection::Slice ? 30 : 29;
  const std::uint64_t slots = start + shape.look_ups.in_range * (19 + (bytes ? 3 : 2) * groups) +
                              missSlots(shape.look_ups, 8, 29);
  return tileCyclesOf(machine, slots);
}

Cycles multiUpdateCycles(const Machine& machine, const MultiUpdateShape& shape) {
  const std::uint64_t width = shape.atomic_store.value() / sizeOf(shape.type).value();
  const std::uint64_t stores = ceilDiv(shape.elements, width);
  const UpdateSlots slots =
      shape.type == ElementType::Half ? halfSlots(shape, stores) : wordSlots(shape, stores);
  if (shape.look_ups.offsets == 0) return Cycles(slots.start);
  return tileCyclesOf(machine, slots.start + slots.update * shape.look_ups.in_range +
                                   missSlots(shape.look_ups, 5, 24));
}

}  // namespace ipusim::models
