// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/unsigned_division.h"

#include <numeric>

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

/// Slots of an element that are estimated and not taken.
std::uint64_t excessSlots(const BinaryOpKind& kind) {
  const bool divides =
      kind.op == BinaryOp::Divide && kind.type.name() == DataType::Name::UnsignedInt;
  return divides ? binaryLoop(kind, SecondOperand::Tensor).slots - kUnsignedDivisionSlots : 0;
}

}  // namespace

Cycles measuredBinaryOpCycles(const Architecture& machine, const BinaryOpShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  return excess(binaryOpCycles(machine, shape),
                tileCyclesOf(machine, excessSlots(shape.kind) * share));
}

Cycles measuredBinaryOp2dCycles(const Architecture& machine, const BinaryOp2dShape& shape) {
  const std::uint64_t elements =
      std::accumulate(shape.regions.begin(), shape.regions.end(), std::uint64_t{0});
  return excess(binaryOp2dCycles(machine, shape), Cycles(excessSlots(shape.kind) * elements));
}

}  // namespace ipusim::models
