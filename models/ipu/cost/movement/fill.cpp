// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/fill.h"

#include "ipusim/error.h"

// The literals are those of the formulas in fill.h.

namespace ipusim::models {
namespace {

constexpr Bytes kFillFloat(4);
constexpr std::uint64_t kFillWord = 4;           // bytes
constexpr std::uint64_t kFewBytes = 64;          // below this, bytes are stored by the word
constexpr std::uint64_t kSlotsOfOneHalf = 15;    // without a loop
constexpr std::uint64_t kSlotsOfTwoHalves = 21;  // without a loop

std::uint64_t byteSlots(std::uint64_t n, std::uint64_t per_store) {
  return n < kFewBytes ? 28 + n / kFillWord : 39 + n / per_store;
}

std::uint64_t halfSlots(std::uint64_t n, std::uint64_t per_store) {
  if (n == 1) return kSlotsOfOneHalf;
  if (n == 2) return kSlotsOfTwoHalves;
  return 26 + n / per_store;
}

}  // namespace

Cycles fillCycles(const Architecture& machine, const FillShape& shape) {
  const std::uint64_t n = shape.elements;
  const Bytes element = shape.code == FillCode::Quarter ? kFillFloat : shape.element;
  const std::uint64_t per_store = machine.data_path.value() / element.value();
  switch (element.value()) {
    case 1:
      return Cycles(byteSlots(n, per_store));
    case 2:
      return Cycles(halfSlots(n, per_store));
    case 4:
      return Cycles(23 + n / per_store + n % per_store);
    case 8:
      return Cycles(5 + n);
    default:
      throw InternalError("fillCycles: elements have 1, 2, 4 or 8 bytes");
  }
}

Cycles fill2dCycles(const Architecture& machine, const Fill2dShape& shape) {
  const bool short_entry = shape.element == Bytes(2) || shape.element == Bytes(8);
  const Cycles saved(short_entry ? 2 : 3);
  Cycles cycles(short_entry ? 5 : 6);
  for (const std::uint64_t elements : shape.regions) {
    cycles += excess(fillCycles(machine, {shape.element, elements, shape.code}), saved);
  }
  return cycles;
}

}  // namespace ipusim::models
