// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/unary_op.h"

#include <array>

#include "models/ipu/cost/workers.h"
#include "sim/base/error.h"

// The literals are those of the formulas in unary_op.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSupervisorCall = 20;
constexpr std::uint64_t kWorkerStart2d = 20;

enum class Rounding : std::uint8_t {
  WholeGroups,   ///< a part-used group costs a whole one
  WholeProduct,  ///< the last group is charged by its share, rounded down
};

/// An inner loop: issue slots for a group of elements.
struct Loop {
  std::uint64_t slots;
  std::uint64_t elements;
  Rounding rounding = Rounding::WholeGroups;
};

/// Float, half, float in place, half in place.
using Loops = std::array<Loop, 4>;

constexpr Loops same(Loop of_float, Loop of_half) {
  return {of_float, of_half, of_float, of_half};
}

constexpr Loop vectors(std::uint64_t slots, std::uint64_t elements) {
  return {slots, elements, Rounding::WholeProduct};
}

Loops loopsOf(UnaryOp op) {
  switch (op) {
    case UnaryOp::Absolute:
      return {Loop{5, 1}, Loop{5, 1}, vectors(5, 2), vectors(5, 4)};
    case UnaryOp::Ceil:
      return same(vectors(6, 2), vectors(6, 4));
    case UnaryOp::Exponent:
      return same({6, 2}, {4, 4});
    case UnaryOp::ExponentMinusOne:
      return same({8, 1}, vectors(9, 4));
    case UnaryOp::GeluErf:
      return same({22, 1}, {16, 1});
    case UnaryOp::Inverse:
      return same({6, 2}, {15, 4});
    case UnaryOp::Logarithm:
      return {Loop{12, 2}, Loop{4, 4}, Loop{14, 2}, Loop{6, 4}};
    case UnaryOp::LogarithmOnePlus:
      return {vectors(22, 2), vectors(22, 4), vectors(22, 2), vectors(21, 4)};
    case UnaryOp::Negate:
      return {Loop{2, 2}, Loop{2, 4}, Loop{3, 2}, Loop{3, 4}};
    case UnaryOp::Relu:
      return {Loop{3, 2}, Loop{3, 4}, Loop{2, 2}, Loop{2, 4}};
    case UnaryOp::Rsqrt:
      return same({8, 2}, {19, 4});
    case UnaryOp::Sigmoid:
      return {Loop{12, 2}, Loop{6, 4}, Loop{10, 2}, Loop{4, 4}};
    case UnaryOp::Signum:
      return same(vectors(9, 2), vectors(9, 4));
    case UnaryOp::Sqrt:
      return same({10, 2}, {23, 4});
    case UnaryOp::Square:
      return same({2, 2}, {2, 4});
    case UnaryOp::Tanh:
      return {Loop{12, 2}, Loop{4, 4}, Loop{10, 2}, Loop{2, 4}};
  }
  throw InternalError("unaryOpCycles: unknown operator");
}

std::uint64_t loopSlots(const UnaryOpKind& kind, std::uint64_t n) {
  const bool half = kind.type == ElementType::Half;
  check(half || kind.type == ElementType::Float, "unaryOpCycles: operands are half or float");
  const std::size_t in_place = kind.placement == OpPlacement::InPlace ? 2 : 0;
  const Loop loop = loopsOf(kind.op)[in_place + (half ? 1 : 0)];
  if (loop.rounding == Rounding::WholeGroups) return loop.slots * ceilDiv(n, loop.elements);
  return loop.slots * (n + loop.elements - 1) / loop.elements;
}

std::uint64_t startSlots(const UnaryOpKind& kind) {
  if (kind.placement == OpPlacement::InPlace) return 55;
  return kind.op == UnaryOp::Exponent ? 33 : 17;
}

}  // namespace

Cycles unaryOpCycles(const Machine& machine, const UnaryOpShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  const std::uint64_t slots = startSlots(shape.kind) + loopSlots(shape.kind, share);
  return Cycles(kSupervisorCall) + tileCyclesOf(machine, slots);
}

Cycles unaryOp2dCycles(const Machine& /*machine*/, const UnaryOp2dShape& shape) {
  std::uint64_t slots = kWorkerStart2d;
  for (const std::uint64_t elements : shape.regions) slots += loopSlots(shape.kind, elements);
  return Cycles(slots);
}

}  // namespace ipusim::models
