// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/broadcast_inner.h"

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in broadcast_inner.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kLongestFastSum = 2048;  // the longest vector that the half code can reach
constexpr std::uint64_t kLongestFastProduct = 2044;  // as above, less a vector of 8 bytes

bool isInPlace(const BinaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

std::uint64_t floatCore(BinaryOp op, const InnerBlocks& v) {
  if (v.blocks == 0) return 2;
  if (op != BinaryOp::Divide) return 7 + v.length * (8 + 2 * v.blocks);
  if (v.length % 2 != 0) return 9 + v.length * (5 + 4 * v.blocks);
  return 10 + v.length / 2 * (5 + 6 * v.blocks);
}

/// Slots of a loop over single elements.
std::uint64_t oneByOne(const InnerBlocks& v) {
  return v.length * (5 + 9 * v.blocks);
}

std::uint64_t halfSumCore(const InnerBlocks& v) {
  const std::uint64_t b = v.blocks;
  if (b == 0) return 1;
  if (v.length > kLongestFastSum) return 9 + oneByOne(v);
  if (v.length % 8 == 0) {
    const std::uint64_t a = v.length / 8;
    return b == 1 ? 11 + 7 * a : 12 + a * (13 + 2 * b);
  }
  if (b == 1) return 13 + oneByOne(v);
  if (v.length % 4 == 0) return 15 + v.length / 4 * (11 + 2 * (b / 2) + b % 2);
  return 15 + oneByOne(v);
}

/// Loads and stores overlap when a vector has several blocks within reach.
std::uint64_t halfProductCore(const InnerBlocks& v) {
  const std::uint64_t a = v.length / 4;
  if (v.length % 4 != 0) return 8 + oneByOne(v);
  if (v.length > kLongestFastProduct) return 11 + a * (7 + 2 * v.blocks);
  return 13 + a * (v.blocks < 2 ? 7 + 2 * v.blocks : 9 + v.blocks);
}

std::uint64_t halfQuotientCore(const InnerBlocks& v) {
  const std::uint64_t b = v.blocks;
  if (b == 0) return 2;
  if (v.length == 1) return b == 1 ? 24 : 20 + 8 * (b / 2 + b % 2);
  if (v.length % 2 == 0) return 14 + v.length / 2 * (5 + 8 * b);
  const std::uint64_t pairs = v.length / 2 - 1;
  const std::uint64_t even = 12 + 9 * pairs;
  const std::uint64_t odd = 24 + 10 * pairs;
  return 10 + b / 2 * (even + odd) + (b % 2 != 0 ? even + 8 : 0);
}

std::uint64_t coreSlots(const BinaryOpKind& kind, const InnerBlocks& v) {
  if (kind.type != ElementType::Half) return floatCore(kind.op, v);
  if (kind.op == BinaryOp::Multiply) return halfProductCore(v);
  return kind.op == BinaryOp::Divide ? halfQuotientCore(v) : halfSumCore(v);
}

std::uint64_t core1dSlots(const BinaryOpKind& kind, const InnerBlocks& v) {
  const bool scales =
      kind.op == BinaryOp::Multiply && kind.type == ElementType::Half && isInPlace(kind);
  if (scales && v.length % 4 == 0) return 9 + v.length / 4 * (7 + 2 * v.blocks);
  return coreSlots(kind, v);
}

/// The cost of a 1D vertex around the loop: tile cycles, and issue slots per worker.
struct CallCost {
  std::uint64_t supervisor;
  std::uint64_t worker;
};

CallCost callOf(const BinaryOpKind& kind, std::uint64_t length) {
  const bool half = kind.type == ElementType::Half;
  const bool in_place = isInPlace(kind);
  const std::uint64_t start = half ? 19 + (length % 2 != 0 ? 7 : 0) : 17;
  switch (kind.op) {
    case BinaryOp::Add:
      return {13U + (in_place ? 12U : 24U), start};
    case BinaryOp::Subtract:
      return {13 + 24, start};
    case BinaryOp::Multiply:
      return {13U + (in_place ? 24U : 12U), start + (half ? 24 : 17)};
    case BinaryOp::Divide:
      return {14U + (in_place ? 2U : 4U), half ? 24U : 19U};
    default:
      throw InternalError("broadcastInnerCycles: add, subtract, multiply and divide");
  }
}

std::uint64_t start2dSlots(const BinaryOpKind& kind) {
  const bool in_place = isInPlace(kind);
  switch (kind.op) {
    case BinaryOp::Add:
      return in_place ? 6 : 7;
    case BinaryOp::Subtract:
      return 8;
    case BinaryOp::Multiply:
      return in_place ? 7 : 6;
    case BinaryOp::Divide:
      return in_place ? 9 : 10;
    default:
      throw InternalError("broadcastInner2dCycles: add, subtract, multiply and divide");
  }
}

std::uint64_t entrySlots(const BinaryOpKind& kind) {
  if (kind.type != ElementType::Half) return 9;
  return kind.op == BinaryOp::Multiply ? 13 : 15;
}

void checkType(const BinaryOpKind& kind) {
  check(kind.type == ElementType::Half || kind.type == ElementType::Float,
        "a broadcast vector is half or float");
}

}  // namespace

Cycles broadcastInnerCycles(const Architecture& machine, const BroadcastInnerShape& shape) {
  checkType(shape.kind);
  const CallCost call = callOf(shape.kind, shape.length);
  const InnerBlocks each{shape.length, largestShare(machine, shape.repeats)};
  const std::uint64_t between = shape.slices > 1 ? 17 : 0;
  const std::uint64_t loop = shape.slices * (between + core1dSlots(shape.kind, each));
  return Cycles(call.supervisor) + tileCyclesOf(machine, call.worker + loop);
}

Cycles broadcastInner2dCycles(const BroadcastInner2dShape& shape) {
  checkType(shape.kind);
  std::uint64_t slots = start2dSlots(shape.kind);
  for (const InnerBlocks& vector : shape.vectors) {
    slots += entrySlots(shape.kind) + coreSlots(shape.kind, vector);
  }
  return Cycles(slots);
}

}  // namespace ipusim::models
