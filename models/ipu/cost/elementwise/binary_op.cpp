// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/binary_op.h"

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in binary_op.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kBinaryOpSupervisorCall = 11;

std::uint64_t loopSlots(const BinaryOpKind& kind, std::uint64_t elements) {
  const BinaryLoop loop = binaryLoop(kind, SecondOperand::Tensor);
  return loop.slots * ceilDiv(elements, loop.elements);
}

std::uint64_t startSlots(const BinaryOpKind& kind) {
  if (kind.placement == OpPlacement::InPlace) return 58;
  return kind.type == ElementType::Float ? 29 : 26;
}

}  // namespace

Cycles binaryOpCycles(const Architecture& machine, const BinaryOpShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  const std::uint64_t slots = startSlots(shape.kind) + loopSlots(shape.kind, share);
  return Cycles(kBinaryOpSupervisorCall) + tileCyclesOf(machine, slots);
}

Cycles binaryOp2dCycles(const Architecture& /*machine*/, const BinaryOp2dShape& shape) {
  return regionCycles(shape.kind.placement == OpPlacement::InPlace ? 20 : 5, shape.regions,
                      [&](std::uint64_t n) { return loopSlots(shape.kind, n); });
}

}  // namespace ipusim::models
