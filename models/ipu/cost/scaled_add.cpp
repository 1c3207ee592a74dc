// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/scaled_add.h"

#include <algorithm>

#include "models/ipu/cost/workers.h"
#include "sim/base/error.h"

// The literals are those of the formulas in scaled_add.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kVectorsForFastLoop = 16;

bool isHalfPlusFloat(const ScaledAddKind& kind) {
  return kind.a == ElementType::Half && kind.b == ElementType::Float;
}

struct Share {
  std::uint64_t each;      ///< whole vectors of a worker
  std::uint64_t one_more;  ///< workers that have one more
  std::uint64_t rest;      ///< elements that fill no vector
};

Share shareOf(const Machine& machine, const ScaledAddShape& shape) {
  const std::uint64_t vector = machine.vectorWidth(shape.kind.a);
  const std::uint64_t vectors = shape.elements / vector;
  return {vectors / machine.workers_per_tile, vectors % machine.workers_per_tile,
          shape.elements % vector};
}

std::uint64_t loopSlots(const ScaledAddKind& kind, std::uint64_t vectors) {
  if (kind.memory == OperandMemory::Apart) return vectors >= kVectorsForFastLoop ? 1 : 2;
  return kind.a == kind.b ? 3 : 4;
}

/// Of the worker that has the elements which fill no vector.
std::uint64_t restSlots(const ScaledAddKind& kind, std::uint64_t rest) {
  if (rest == 0) return 0;
  if (kind.a == ElementType::Float) return 8;
  return 5 + (rest >= 2 ? 7 : 0) + (rest == 3 ? 6 : 0);
}

std::uint64_t workerSlots(const ScaledAddKind& kind, const Share& share) {
  const std::uint64_t loop =
      share.each > 0 ? 6 + loopSlots(kind, share.each) * (share.each - 1) : 0;
  return 15 + loop + 3 + 1 + restSlots(kind, share.rest);
}

std::uint64_t halfPlusFloatSlots(std::uint64_t vectors) {
  return 16 + (vectors > 0 ? 9 + 5 * (vectors - 1) : 0) + 3;
}

/// The rest is with the first worker that has no vector more.
std::uint64_t halfPlusFloatSlowest(const Share& share) {
  std::uint64_t slowest = halfPlusFloatSlots(share.each);
  if (share.rest > 0) {
    slowest += 5 + (share.rest >= 2 ? 5 : 0) + (share.rest % 2 != 0 ? 6 : 0);
  }
  if (share.one_more > 0) slowest = std::max(slowest, halfPlusFloatSlots(share.each + 1));
  return slowest;
}

std::uint64_t tailSlots(const ScaledAddKind& kind, std::uint64_t rest) {
  if (rest == 0) return 0;
  if (kind.a == ElementType::Float) return 7;
  return 4 + (rest >= 2 ? 6 : 0) + (rest % 2 != 0 ? 7 : 0);
}

}  // namespace

Cycles scaledAddCycles(const Machine& machine, const ScaledAddShape& shape) {
  const ScaledAddKind& kind = shape.kind;
  const Share share = shareOf(machine, shape);
  const bool mixed = isHalfPlusFloat(kind);
  const std::uint64_t subtract = kind.op == ScaledOp::Subtract ? (mixed ? 8 : 7) : 0;
  const std::uint64_t pointers = kind.pointers == PointerLayout::Scaled64 ? 6 : 0;
  const Cycles supervisor(50 + (share.rest > 0 ? 13 : 7) + subtract + pointers);
  return supervisor +
         tileCyclesOf(machine, mixed ? halfPlusFloatSlowest(share) : workerSlots(kind, share));
}

Cycles scaledAdd2dCycles(const Machine& machine, const ScaledAdd2dShape& shape) {
  const ScaledAddKind& kind = shape.kind;
  check(!isHalfPlusFloat(kind), "scaledAdd2dCycles: a half with b float has no formula");
  const std::uint64_t vector = machine.vectorWidth(kind.a);
  const std::uint64_t pointers = kind.pointers == PointerLayout::Scaled64 ? 1 : 0;
  const std::uint64_t loop = kind.memory == OperandMemory::Apart ? 2 : 3;
  std::uint64_t slots = kind.op == ScaledOp::Subtract ? 12 : 10;
  for (const std::uint64_t n : shape.regions) {
    slots +=
        15 + pointers + (n >= vector ? 5 : 0) + loop * (n / vector) + tailSlots(kind, n % vector);
  }
  return Cycles(slots);
}

}  // namespace ipusim::models
