// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/broadcast.h"

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in broadcast.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSlotsOfScalarPerRun = 5;

/// True for add, subtract and multiply of half and float with one scalar per run: their loop loads
/// the scalar again and again.
bool reloadsScalar(const BroadcastScalar2dShape& shape) {
  const BinaryOp op = shape.kind.op;
  const DataType type = shape.kind.type;
  return shape.scalars == BroadcastScalars::PerRun &&
         (op == BinaryOp::Add || op == BinaryOp::Subtract || op == BinaryOp::Multiply) &&
         (type == ElementType::Float || type == ElementType::Half);
}

std::uint64_t slotsOf(const BinaryLoop& loop, std::uint64_t elements) {
  return loop.slots * ceilDiv(elements, loop.elements);
}

}  // namespace

Cycles broadcastScalarCycles(const Architecture& machine, const BroadcastScalarShape& shape) {
  const BinaryLoop loop = binaryLoop(shape.kind, SecondOperand::Scalar);
  const std::uint64_t share = largestShare(machine, shape.elements);
  return Cycles(11) + tileCyclesOf(machine, 20 + slotsOf(loop, share));
}

Cycles broadcastScalar2dCycles(const Architecture& /*machine*/,
                               const BroadcastScalar2dShape& shape) {
  BinaryLoop loop = binaryLoop(shape.kind, SecondOperand::Scalar);
  if (reloadsScalar(shape)) loop.slots = kSlotsOfScalarPerRun;
  return regionCycles(20, shape.regions, [&](std::uint64_t n) { return 28 + slotsOf(loop, n); });
}

Cycles broadcastOuterCycles(const Architecture& machine, const BroadcastOuterShape& shape) {
  const bool by_row = shape.split == OuterSplit::ByRow;
  const std::uint64_t rows = by_row ? largestShare(machine, shape.rows) : shape.rows;
  const std::uint64_t columns = by_row ? shape.columns : largestShare(machine, shape.columns);
  const std::uint64_t vector = machine.vectorWidth(shape.type);
  const std::uint64_t start = shape.alignment == RowAlignment::Aligned ? 7 : 25;
  const std::uint64_t row = start + 2 * (columns + vector - 1) / vector;
  return Cycles(11) + tileCyclesOf(machine, 15 + rows * row);
}

}  // namespace ipusim::models
