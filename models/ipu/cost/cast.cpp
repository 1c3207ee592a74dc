// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/cast.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "models/ipu/cost/workers.h"
#include "sim/base/powers_of_two.h"

// The literals are those of the formulas in cast.h.

namespace ipusim::models {
namespace {

/// A loop over groups of four, and what its last one, two or three elements cost.
struct ByteLoop {
  std::uint64_t group;
  std::uint64_t entry;
  std::array<std::uint64_t, 4> rest;
};
constexpr ByteLoop kByteToHalfLoop{9, 5, {6, 16, 18, 26}};
constexpr ByteLoop kHalfToByteLoop{16, 3, {10, 22, 29, 37}};

std::uint64_t byteSlots(const ByteLoop& loop, std::uint64_t n) {
  const std::uint64_t groups = n / loop.rest.size();
  const std::uint64_t entry = groups > 0 ? loop.entry : 0;
  return loop.group * groups + entry + loop.rest[n % loop.rest.size()];
}

std::uint64_t vectorSlots(const Machine& machine, const CastTypes& types, std::uint64_t n) {
  const std::uint64_t load = machine.data_path.value() / types.from.value();
  const std::uint64_t store = machine.data_path.value() / types.to.value();
  const std::uint64_t at_a_time = std::min(2 * load, store);
  const std::uint64_t rest = std::bitset<64>(n % at_a_time).count();
  return 19 + ceilDiv(at_a_time, load) * (n / at_a_time) + floorLog2(at_a_time) + 2 * rest;
}

std::uint64_t loopSlots(const Machine& machine, const CastTypes& types, std::uint64_t n) {
  switch (types.loop) {
    case CastLoop::Vectors:
      return vectorSlots(machine, types, n);
    case CastLoop::ByteToHalf:
      return byteSlots(kByteToHalfLoop, n);
    case CastLoop::HalfToByte:
      return byteSlots(kHalfToByteLoop, n);
    case CastLoop::OneByOne:
      break;
  }
  return 19 + 2 * n;
}

bool isFloating(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

}  // namespace

CastTypes castTypes(ElementType from, ElementType to) {
  const bool vectors = isFloating(from) && isFloating(to);
  return {vectors ? CastLoop::Vectors : CastLoop::OneByOne, sizeOf(from), sizeOf(to)};
}

Cycles castCycles(const Machine& machine, const CastShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  return Cycles(12) + tileCyclesOf(machine, 18 + loopSlots(machine, shape.types, share));
}

Cycles castWorkerCycles(const Machine& machine, const CastShape& shape) {
  return Cycles(5 + loopSlots(machine, shape.types, shape.elements));
}

Cycles cast2dCycles(const Machine& machine, const Cast2dShape& shape) {
  std::uint64_t slots = 5;
  for (const std::uint64_t elements : shape.regions) {
    slots += 11 + loopSlots(machine, shape.types, elements);
  }
  return Cycles(slots);
}

}  // namespace ipusim::models
