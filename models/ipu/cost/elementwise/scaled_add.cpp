// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/scaled_add.h"

#include <algorithm>
#include <array>

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in scaled_add.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kVectorsForFastLoop = 16;

bool isInteger(const ScaledAddKind& kind) {
  return kind.a == ElementType::Int32 || kind.a == ElementType::UInt32;
}

/// True when A has a scale too.
bool scalesA(const ScaledAddKind& kind) {
  return kind.op != ScaledOp::Add && kind.op != ScaledOp::Subtract;
}

bool isHalfPlusFloat(const ScaledAddKind& kind) {
  return kind.a == ElementType::Half && kind.b == ElementType::Float;
}

/// True for halves with a float scale on both operands, which have their own codelet.
bool isMixed(const ScaledAddKind& kind) {
  return (kind.op == ScaledOp::AxPlusBy || kind.op == ScaledOp::AxMinusBy) &&
         kind.a == ElementType::Half && kind.scale == ElementType::Float;
}

bool isApart(const ScaledAddKind& kind) {
  return kind.memory == OperandMemory::Apart;
}

bool hasScaledPointers(PointerLayout layout) {
  return layout == PointerLayout::Scaled64;
}

struct Share {
  std::uint64_t each;      ///< whole vectors per worker
  std::uint64_t one_more;  ///< number of workers that have one more
  std::uint64_t rest;      ///< elements that fill no vector
};

Share shareOf(const Architecture& machine, const ScaledAddShape& shape) {
  const std::uint64_t vector = machine.vectorWidth(shape.kind.a);
  const std::uint64_t vectors = shape.elements / vector;
  return {vectors / machine.workers_per_tile, vectors % machine.workers_per_tile,
          shape.elements % vector};
}

std::uint64_t loopSlots(const ScaledAddKind& kind, std::uint64_t vectors) {
  if (isApart(kind)) return vectors >= kVectorsForFastLoop ? 1 : 2;
  return kind.a == kind.b ? 3 : 4;
}

/// Slots of the worker that has the elements which fill no vector.
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

std::uint64_t twoScalesFloatSlots(const Share& share) {
  const std::uint64_t loop = share.each > 0 ? 6 + 3 * (share.each - 1) : 0;
  return 17 + loop + 1 + (share.rest > 0 ? 5 : 0);
}

std::uint64_t halfPlusFloatSlots(std::uint64_t vectors) {
  return 16 + (vectors > 0 ? 9 + 5 * (vectors - 1) : 0) + 3;
}

/// The first worker without one more vector has the rest.
std::uint64_t halfPlusFloatSlowest(const Share& share) {
  std::uint64_t slowest = halfPlusFloatSlots(share.each);
  if (share.rest > 0) {
    slowest += 5 + (share.rest >= 2 ? 5 : 0) + (share.rest % 2 != 0 ? 6 : 0);
  }
  if (share.one_more > 0) slowest = std::max(slowest, halfPlusFloatSlots(share.each + 1));
  return slowest;
}

/// The function core(k) of scaled_add.h.
std::uint64_t mixedCoreSlots(std::uint64_t elements) {
  constexpr std::array<std::uint64_t, 5> kFew{0, 14, 13, 22, 0};
  if (elements < kFew.size()) return 6 + kFew.at(elements);
  return 15 + 5 * ((elements - 4) / 2) + (elements % 2 != 0 ? 9 : 0);
}

std::uint64_t mixedSlowest(const Architecture& machine, std::uint64_t elements) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t rest = elements % workers;
  const std::uint64_t last = elements / workers % workers + ceilDiv<std::uint64_t>(rest, 2);
  std::uint64_t slowest = 0;
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    const std::uint64_t own =
        2 * (elements / (2 * workers)) + (worker <= last ? 2 : 0) + (worker == last ? rest : 0);
    slowest = std::max(slowest, 19 + mixedCoreSlots(own) + (worker == last ? 1 : 0));
  }
  return slowest;
}

Cycles mixedCycles(const Architecture& machine, const ScaledAddShape& shape) {
  const std::uint64_t pointers = hasScaledPointers(shape.kind.a_pointers) ? 12 + 2 : 6;
  const bool even = shape.elements % machine.workers_per_tile == 0;
  const Cycles supervisor((isApart(shape.kind) ? 7 : 1) + pointers + 142 + (even ? 5 : 0));
  return supervisor + tileCyclesOf(machine, mixedSlowest(machine, shape.elements));
}

Cycles integerCycles(const ScaledAddShape& shape) {
  const std::uint64_t subtract = shape.kind.op == ScaledOp::Subtract ? 1 : 0;
  return Cycles(73 + 26 * (shape.elements / 3 + shape.elements % 3) + subtract);
}

std::uint64_t supervisorCycles(const ScaledAddKind& kind, const Share& share) {
  const std::uint64_t start =
      50 + (share.rest > 0 ? 13 : 7) + (hasScaledPointers(kind.a_pointers) ? 6 : 0);
  switch (kind.op) {
    case ScaledOp::Add:
    case ScaledOp::AxMinusBy:
      return start;
    case ScaledOp::Subtract:
      return start + (isHalfPlusFloat(kind) ? 8 : 7);
    case ScaledOp::AxPlusBy:
    case ScaledOp::XMinusAxPlusBy:
      break;
  }
  return start + 12 + unpackSlots(kind.a_pointers) + unpackSlots(kind.b_pointers);
}

std::uint64_t tailSlots(const ScaledAddKind& kind, std::uint64_t rest) {
  if (rest == 0) return 0;
  if (kind.a == ElementType::Float) return 7;
  return 4 + (rest >= 2 ? 6 : 0) + (rest % 2 != 0 ? 7 : 0);
}

/// The slots of a 2D vertex before its runs.
std::uint64_t start2dSlots(ScaledOp op) {
  switch (op) {
    case ScaledOp::Add:
    case ScaledOp::AxMinusBy:
      return 10;
    case ScaledOp::Subtract:
      return 12;
    case ScaledOp::AxPlusBy:
    case ScaledOp::XMinusAxPlusBy:
      break;
  }
  return 16;
}

Cycles integer2dCycles(const ScaledAdd2dShape& shape) {
  const std::uint64_t start = shape.kind.op == ScaledOp::Subtract ? 10 : 9;
  return regionCycles(start, shape.regions, [](std::uint64_t n) { return 7 + 5 * n; });
}

Cycles mixed2dCycles(const ScaledAdd2dShape& shape) {
  const ScaledAddKind& kind = shape.kind;
  const std::uint64_t run = 2 + (kind.a_pointers == PointerLayout::ShortSpan ? 4 : 2) +
                            (hasScaledPointers(kind.b_pointers) ? 2 : 1);
  return regionCycles(21 + (isApart(kind) ? 2 : 1), shape.regions,
                      [&](std::uint64_t n) { return run * mixedCoreSlots(n); });
}

}  // namespace

Cycles scaledAddCycles(const Architecture& machine, const ScaledAddShape& shape) {
  const ScaledAddKind& kind = shape.kind;
  if (isInteger(kind)) return integerCycles(shape);
  if (isMixed(kind)) return mixedCycles(machine, shape);
  const Share share = shareOf(machine, shape);
  const Cycles supervisor(supervisorCycles(kind, share));
  if (scalesA(kind) && kind.a == ElementType::Float) {
    return supervisor + tileCyclesOf(machine, twoScalesFloatSlots(share));
  }
  return supervisor + tileCyclesOf(machine, isHalfPlusFloat(kind) ? halfPlusFloatSlowest(share)
                                                                  : workerSlots(kind, share));
}

Cycles scaledAdd2dCycles(const Architecture& machine, const ScaledAdd2dShape& shape) {
  const ScaledAddKind& kind = shape.kind;
  if (isInteger(kind)) return integer2dCycles(shape);
  if (isMixed(kind)) return mixed2dCycles(shape);
  const std::uint64_t vector = machine.vectorWidth(kind.a);
  const bool slow = scalesA(kind) && kind.a == ElementType::Float;
  const std::uint64_t loop = isApart(kind) && !slow ? 2 : 3;
  const std::uint64_t entry =
      15 + (kind.a_pointers == PointerLayout::ShortSpan ? unpackSlots(kind.b_pointers) : 0);
  return regionCycles(start2dSlots(kind.op), shape.regions, [&](std::uint64_t n) {
    return entry + (n >= vector ? 5 : 0) + loop * (n / vector) + tailSlots(kind, n % vector);
  });
}

}  // namespace ipusim::models
