// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/cast.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "base/numbers/powers_of_two.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in cast.h.

namespace ipusim::models {
namespace {

/// A loop over groups of elements, and the last elements, which fill no group.
struct GroupLoop {
  std::uint64_t start;
  std::uint64_t group;  ///< number of elements
  std::uint64_t first;  ///< slots of the first group
  std::uint64_t next;   ///< slots of each further group
  std::array<std::uint64_t, 4> rest;
};
constexpr GroupLoop kByteToHalf{4, 4, 14, 9, {2, 12, 14, 22}};
constexpr GroupLoop kHalfToByte{8, 4, 19, 16, {2, 14, 21, 29}};
constexpr GroupLoop kQuarterToByte{4, 8, 0, 28, {2, 5, 5, 5}};
constexpr GroupLoop kByteToQuarter{4, 8, 0, 37, {2, 7, 7, 7}};
constexpr GroupLoop kQuarterToQuarter{4, 8, 0, 13, {2, 5, 5, 5}};

std::uint64_t groupSlots(const GroupLoop& loop, std::uint64_t n) {
  const std::uint64_t groups = n / loop.group;
  const std::uint64_t rest = n % loop.group;
  return loop.start + (groups > 0 ? loop.first + loop.next * (groups - 1) : 0) +
         (rest < loop.rest.size() ? loop.rest.at(rest) : loop.rest[1] * rest);
}

std::uint64_t vectorSlots(const Architecture& machine, const CastTypes& types, std::uint64_t n) {
  const std::uint64_t load = machine.data_path.value() / types.from.value();
  const std::uint64_t store = machine.data_path.value() / types.to.value();
  const std::uint64_t at_a_time = std::min(2 * load, store);
  const std::uint64_t rest = std::bitset<64>(n % at_a_time).count();
  return 19 + ceilDiv(at_a_time, load) * (n / at_a_time) + floorLog2(at_a_time) + 2 * rest;
}

std::uint64_t loopSlots(const Architecture& machine, const CastTypes& types, std::uint64_t n) {
  switch (types.loop) {
    case CastLoop::Vectors:
      return vectorSlots(machine, types, n);
    case CastLoop::ByteToHalf:
      return groupSlots(kByteToHalf, n);
    case CastLoop::HalfToByte:
      return groupSlots(kHalfToByte, n);
    case CastLoop::QuarterToByte:
      return groupSlots(kQuarterToByte, n);
    case CastLoop::ByteToQuarter:
      return groupSlots(kByteToQuarter, n);
    case CastLoop::QuarterToQuarter:
      return groupSlots(kQuarterToQuarter, n);
    case CastLoop::SignedTo64Bits:
      return 3 + 5 * n;
    case CastLoop::OtherTo64Bits:
      return 3 + 4 * n;
    case CastLoop::OneByOne:
      break;
  }
  return 19 + 2 * n;
}

bool isFloating(DataType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

bool isQuarter(DataType type) {
  return type == DataType::Name::Quarter;
}

/// A signed source spreads its sign over the upper half.
CastLoop loopTo64Bits(DataType from) {
  const bool is_signed =
      from == DataType::Name::Int || from == DataType::Name::Short || from == DataType::Name::Char;
  return is_signed ? CastLoop::SignedTo64Bits : CastLoop::OtherTo64Bits;
}

CastLoop loopFromQuarter(DataType to) {
  if (isQuarter(to)) return CastLoop::QuarterToQuarter;
  if (to == ElementType::Half) return CastLoop::Vectors;
  return isByteInteger(to) ? CastLoop::QuarterToByte : CastLoop::OneByOne;
}

CastLoop loopOf(DataType from, DataType to) {
  if (isSixtyFourBits(to)) return loopTo64Bits(from);
  if (isQuarter(from)) return loopFromQuarter(to);
  if (isQuarter(to) && isByteInteger(from)) return CastLoop::ByteToQuarter;
  if (isFloating(from) && isFloating(to)) return CastLoop::Vectors;
  if (from != ElementType::Half) {
    const bool to_half = from == DataType::Name::UnsignedChar && to == ElementType::Half;
    return to_half ? CastLoop::ByteToHalf : CastLoop::OneByOne;
  }
  if (isQuarter(to)) return CastLoop::Vectors;
  return isByteInteger(to) ? CastLoop::HalfToByte : CastLoop::OneByOne;
}

}  // namespace

CastTypes castTypes(DataType from, DataType to) {
  return {loopOf(from, to), sizeOf(from), sizeOf(to)};
}

Cycles castCycles(const Architecture& machine, const CastShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  return Cycles(12) + tileCyclesOf(machine, 18 + loopSlots(machine, shape.kind, share));
}

Cycles castWorkerCycles(const Architecture& machine, const CastShape& shape) {
  return Cycles(5 + loopSlots(machine, shape.kind, shape.elements));
}

Cycles cast2dCycles(const Architecture& machine, const Cast2dShape& shape) {
  return regionCycles(5, shape.regions,
                      [&](std::uint64_t n) { return 11 + loopSlots(machine, shape.kind, n); });
}

}  // namespace ipusim::models
