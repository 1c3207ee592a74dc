// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/slice.h"

#include "ipusim/error.h"
#include "models/ipu/cost/regions.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in slice.h.

namespace ipusim::models {
namespace {

constexpr Bytes kByte(1);
constexpr Bytes kLong(8);
constexpr std::uint64_t kBytesAtATime = 4;  // byte elements are copied by the word

struct SliceStart {
  std::uint64_t vertex;  // slots of a worker before its slices
  std::uint64_t slice;   // slots before the copy of each slice
};
constexpr SliceStart kWords{39, 24};
constexpr SliceStart kBytes{76, 72};

/// The function copy(n) of slice.h.
std::uint64_t copySlots(const Architecture& machine, const DynamicSlice2dShape& shape,
                        std::uint64_t n) {
  const std::uint64_t width = machine.data_path.value() / shape.element.value();
  switch (shape.element.value()) {
    case 1: {
      const std::uint64_t word = shape.direction == SliceDirection::Slice ? 2 : 23;
      return 50 + word * ceilDiv(n, kBytesAtATime);
    }
    case 2:
      return 31 + 2 * ceilDiv(n, width);
    case 4:
      return 29 + ceilDiv(n, width);
    case 8:
      return shape.direction == SliceDirection::Update ? 30 + n : 29 + ceilDiv<std::uint64_t>(n, 2);
    default:
      throw InternalError("dynamicSlice2dCycles: elements have 1, 2, 4 or 8 bytes");
  }
}

}  // namespace

Cycles dynamicSliceCycles(const Architecture& machine, const DynamicSliceShape& shape) {
  const bool bytes = shape.element == kByte;
  const SliceStart start = bytes ? kBytes : kWords;
  const std::uint64_t words = shape.element == kLong ? 2 : 1;  // words per element
  const std::uint64_t at_a_time =
      bytes ? kBytesAtATime : words * machine.data_path.value() / shape.element.value();
  const std::uint64_t copied = largestShare(machine, words * shape.elements) / at_a_time;
  const std::uint64_t slots = start.vertex + (start.slice + 2 * copied) * shape.slices;
  return Cycles(25) + tileCyclesOf(machine, slots);
}

Cycles dynamicSlice2dCycles(const Architecture& machine, const DynamicSlice2dShape& shape) {
  return regionCycles(27, shape.regions, [&](std::uint64_t n) {
    return 13 + shape.slices * copySlots(machine, shape, n);
  });
}

}  // namespace ipusim::models
