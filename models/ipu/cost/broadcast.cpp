// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/broadcast.h"

#include "models/ipu/cost/workers.h"
#include "sim/base/error.h"

// The literals are those of the formulas in broadcast.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kLongestFastSlice = 2048;  // the half code keeps the vector within reach

/// An inner loop: issue slots for a group of elements.
struct Loop {
  std::uint64_t slots;
  std::uint64_t elements;
};

Loop loopOf(const Machine& machine, const BinaryOpKind& kind) {
  const bool half = kind.type == ElementType::Half;
  const std::uint64_t vector = machine.vectorWidth(kind.type);
  switch (kind.op) {
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Multiply:
      return {2, vector};
    case BinaryOp::Divide:
      return {half ? 8U : 6U, 2};
    case BinaryOp::Maximum:
    case BinaryOp::Minimum:
      return {3, vector};
    case BinaryOp::Power:
    case BinaryOp::Equal:
    case BinaryOp::GreaterThan:
      break;
  }
  throw InternalError("broadcastScalarCycles: no published cost of this operator");
}

std::uint64_t slotsOf(const Loop& loop, std::uint64_t elements) {
  return loop.slots * ceilDiv(elements, loop.elements);
}

std::uint64_t floatInnerCore(const BroadcastInnerShape& shape, std::uint64_t blocks) {
  return blocks == 0 ? 2 : 2 + 5 + shape.length * (8 + 2 * blocks);
}

/// `per_vector` slots a vector and what comes on top.
std::uint64_t halfMultiplyCore(const BroadcastInnerShape& shape, std::uint64_t blocks) {
  const std::uint64_t l = shape.length;
  if (l % 4 != 0) return 8 + l * (5 + 9 * blocks);
  return blocks == 1 ? 15 + 7 * l / 4 : 9 + (7 + 2 * blocks) * l / 4;
}

std::uint64_t halfAddCore(const BroadcastInnerShape& shape, std::uint64_t blocks) {
  const std::uint64_t l = shape.length;
  if (l > kLongestFastSlice) return 9 + l * (5 + 9 * blocks);
  if (l % 8 != 0) return (blocks == 1 ? 13 : 15) + l * (5 + 9 * blocks);
  return 8 + (blocks == 1 ? 3 + 7 * l / 8 : 4 + (13 + 2 * blocks) * l / 8);
}

std::uint64_t innerWorkerSlots(const Machine& machine, const BroadcastInnerShape& shape) {
  const std::uint64_t blocks = largestShare(machine, shape.repeats);
  const std::uint64_t between = shape.slices > 1 ? 17 : 0;
  if (shape.kind.type == ElementType::Float) {
    return 17 + shape.slices * (between + floatInnerCore(shape, blocks));
  }
  const bool multiplies = shape.kind.op == BinaryOp::Multiply;
  const std::uint64_t core =
      multiplies ? halfMultiplyCore(shape, blocks) : halfAddCore(shape, blocks);
  return 19 + (shape.length % 2 != 0 ? 7 : 0) + (multiplies ? 7 : 0) +
         shape.slices * (between + core);
}

Cycles innerCallCycles(const Machine& machine, const BinaryOpKind& kind) {
  const bool in_place = kind.placement == OpPlacement::InPlace;
  if (kind.op == BinaryOp::Multiply) {
    return tileCyclesOf(machine, 17) + Cycles(in_place ? 24 : 12);
  }
  return Cycles(in_place && kind.op == BinaryOp::Add ? 12 : 24);
}

}  // namespace

Cycles broadcastScalarCycles(const Machine& machine, const BroadcastScalarShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  return Cycles(11) + tileCyclesOf(machine, 20 + slotsOf(loopOf(machine, shape.kind), share));
}

Cycles broadcastScalar2dCycles(const Machine& machine, const BroadcastScalar2dShape& shape) {
  Loop loop = loopOf(machine, shape.kind);
  if (shape.scalars == BroadcastScalars::PerRun && loop.slots == 2) loop.slots = 5;
  std::uint64_t slots = 20;
  for (const std::uint64_t elements : shape.regions) slots += 28 + slotsOf(loop, elements);
  return Cycles(slots);
}

Cycles broadcastOuterCycles(const Machine& machine, const BroadcastOuterShape& shape) {
  const bool by_row = shape.split == OuterSplit::ByRow;
  const std::uint64_t rows = by_row ? largestShare(machine, shape.rows) : shape.rows;
  const std::uint64_t columns = by_row ? shape.columns : largestShare(machine, shape.columns);
  const std::uint64_t vector = machine.vectorWidth(shape.type);
  const std::uint64_t start = shape.alignment == RowAlignment::Aligned ? 7 : 25;
  const std::uint64_t row = start + 2 * (columns + vector - 1) / vector;
  return Cycles(11) + tileCyclesOf(machine, 15 + rows * row);
}

Cycles broadcastInnerCycles(const Machine& machine, const BroadcastInnerShape& shape) {
  const BinaryOp op = shape.kind.op;
  check(op == BinaryOp::Add || op == BinaryOp::Subtract || op == BinaryOp::Multiply,
        "broadcastInnerCycles: add, subtract and multiply");
  return Cycles(13) + innerCallCycles(machine, shape.kind) +
         tileCyclesOf(machine, innerWorkerSlots(machine, shape));
}

}  // namespace ipusim::models
