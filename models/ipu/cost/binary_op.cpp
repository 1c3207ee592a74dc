// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/binary_op.h"

#include "models/ipu/cost/workers.h"
#include "sim/base/error.h"

// The literals are those of the formulas in binary_op.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSupervisorCall = 11;

/// An inner loop: issue slots for a group of elements. No elements: there is no such codelet.
struct Loop {
  std::uint64_t slots = 0;
  std::uint64_t elements = 0;
};

struct LoopsByType {
  Loop of_float;
  Loop of_half;
  Loop of_int;
};

LoopsByType loopsOf(BinaryOp op, OpPlacement placement) {
  const bool in_place = placement == OpPlacement::InPlace;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Multiply:
      return {{3, 2}, {3, 4}, {7, 1}};
    case BinaryOp::Divide:
      return {{10, 2}, {21, 4}, {}};
    case BinaryOp::Maximum:
    case BinaryOp::Minimum:
      return {{in_place ? 4U : 3U, 2}, {4, 4}, {}};
    case BinaryOp::Power:
      return {{312, 1}, {325, 1}, {in_place ? 34U : 32U, 1}};
    case BinaryOp::Equal:
    case BinaryOp::GreaterThan:
      break;
  }
  // The result has another type than the operands, so it cannot take their place.
  if (in_place) return {};
  return {{14, 4}, {9, 4}, {22, 4}};
}

Loop loopOf(const BinaryOpKind& kind) {
  const LoopsByType loops = loopsOf(kind.op, kind.placement);
  switch (kind.type) {
    case ElementType::Float:
      return loops.of_float;
    case ElementType::Half:
      return loops.of_half;
    case ElementType::Int32:
    case ElementType::UInt32:
      return loops.of_int;
    case ElementType::UInt16:
    case ElementType::Bool:
      break;
  }
  return {};
}

std::uint64_t loopSlots(const BinaryOpKind& kind, std::uint64_t elements) {
  const Loop loop = loopOf(kind);
  check(loop.elements > 0, "binaryOpCycles: no published cost of this operator on this type");
  return loop.slots * ceilDiv(elements, loop.elements);
}

std::uint64_t startSlots(const BinaryOpKind& kind) {
  if (kind.placement == OpPlacement::InPlace) return 58;
  return kind.type == ElementType::Float ? 29 : 26;
}

}  // namespace

Cycles binaryOpCycles(const Machine& machine, const BinaryOpShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  const std::uint64_t slots = startSlots(shape.kind) + loopSlots(shape.kind, share);
  return Cycles(kSupervisorCall) + tileCyclesOf(machine, slots);
}

Cycles binaryOp2dCycles(const Machine& /*machine*/, const BinaryOp2dShape& shape) {
  std::uint64_t slots = shape.kind.placement == OpPlacement::InPlace ? 20 : 5;
  for (const std::uint64_t elements : shape.regions) slots += loopSlots(shape.kind, elements);
  return Cycles(slots);
}

}  // namespace ipusim::models
