// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/small_vertices.h"

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in small_vertices.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSmallVerticesWord = 4;  // bytes

}  // namespace

Cycles encodeOneHotCustomCycles(std::uint64_t count) {
  return Cycles(100 * count);
}

Cycles iotaCycles(const std::vector<std::uint64_t>& regions) {
  std::uint64_t slots = 10;
  for (const std::uint64_t n : regions) slots += 4 + 3 * ceilDiv<std::uint64_t>(n, 2);
  return Cycles(slots);
}

Cycles hadamardProductCycles(const Architecture& machine, ElementType type,
                             const std::vector<std::uint64_t>& regions) {
  const std::uint64_t width = machine.vectorWidth(type);
  std::uint64_t slots = 5;
  for (const std::uint64_t n : regions) slots += 6 + 2 * ceilDiv(n, width);
  return Cycles(slots);
}

Cycles normaliseImageCycles(const Architecture& machine, DataType type, std::uint64_t pixels) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t each = pixels / workers + (pixels % workers > 1 ? 1 : 0);
  if (type == DataType::Name::UnsignedChar) return tileCyclesOf(machine, 29 + 8 * each);
  if (type == ElementType::Half) return tileCyclesOf(machine, 52 + 11 * each);
  check(type == ElementType::Float, "normaliseImageCycles: unsigned char, half and float");
  return tileCyclesOf(machine, 52 + 17 * each);
}

Cycles sequenceSliceCycles(const Architecture& machine, const SequenceSliceShape& shape) {
  if (shape.offsets == 0) return Cycles(40);
  const std::uint64_t words =
      shape.rows * shape.elements * sizeOf(shape.type).value() / kSmallVerticesWord;
  const std::uint64_t each = ceilDiv(2 * words, shape.sequences);
  return Cycles(60 + 60 * shape.sequences) +
         tileCyclesOf(machine, each * largestShare(machine, shape.sequences));
}

Cycles intervalCycles(ElementType type, std::uint64_t elements) {
  return Cycles(27 + (type == ElementType::Float ? 8 : 12) * elements);
}

}  // namespace ipusim::models
