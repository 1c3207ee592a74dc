// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/unary_op.h"

#include <array>

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in unary_op.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kUnaryOpSupervisorCall = 20;
constexpr std::uint64_t kWorkerStart2d = 20;

/// An inner loop: issue slots per group of elements. Without slots there is no codelet.
struct UnaryLoop {
  enum class Rounding : std::uint8_t {
    WholeGroups,   ///< a part-used group costs as much as a whole one
    WholeProduct,  ///< the last group is charged by its share, rounded down
  };
  std::uint64_t slots = 0;
  std::uint64_t elements = 0;
  Rounding rounding = Rounding::WholeGroups;
};

/// A template over vectors that fill a register pair.
constexpr UnaryLoop vectors(std::uint64_t slots, std::uint64_t elements) {
  return {slots, elements, UnaryLoop::Rounding::WholeProduct};
}

struct UnaryRow {
  UnaryOp op;
  UnaryLoop out_of_place;
  UnaryLoop in_place;
};

constexpr UnaryRow same(UnaryOp op, UnaryLoop loop) {
  return {op, loop, loop};
}

// Source: the cycle tables of graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
constexpr std::array kUnaryOpFloat{
    UnaryRow{UnaryOp::Absolute, {5, 1}, vectors(5, 2)},
    same(UnaryOp::Asin, {106, 1}),
    same(UnaryOp::CubeRoot, vectors(31, 2)),
    same(UnaryOp::Ceil, vectors(6, 2)),
    same(UnaryOp::Cos, {2304, 1}),
    same(UnaryOp::Erf, {41, 1}),
    same(UnaryOp::Exponent, {6, 2}),
    same(UnaryOp::Exponent2, {6, 2}),
    same(UnaryOp::ExponentMinusOne, {8, 1}),
    same(UnaryOp::Floor, vectors(6, 2)),
    same(UnaryOp::GeluErf, {22, 1}),
    same(UnaryOp::Inverse, {6, 2}),
    same(UnaryOp::IsFinite, vectors(9, 2)),
    same(UnaryOp::IsInf, vectors(7, 2)),
    same(UnaryOp::IsNaN, vectors(7, 2)),
    UnaryRow{UnaryOp::Logarithm, {12, 2}, {14, 2}},
    same(UnaryOp::LogarithmOnePlus, vectors(22, 2)),
    same(UnaryOp::NearbyInt, vectors(6, 2)),
    UnaryRow{UnaryOp::Negate, {2, 2}, {3, 2}},
    UnaryRow{UnaryOp::Relu, {3, 2}, {2, 2}},
    same(UnaryOp::Round, vectors(6, 2)),
    same(UnaryOp::Rsqrt, {8, 2}),
    UnaryRow{UnaryOp::Sigmoid, {12, 2}, {10, 2}},
    same(UnaryOp::Signum, vectors(9, 2)),
    same(UnaryOp::Sin, {2304, 1}),
    same(UnaryOp::Sqrt, {10, 2}),
    same(UnaryOp::Square, {2, 2}),
    same(UnaryOp::Tan, {5100, 1}),
    UnaryRow{UnaryOp::Tanh, {12, 2}, {10, 2}},
    UnaryRow{UnaryOp::Truncate, {3, 2}, {4, 2}},
};
constexpr std::array kUnaryOpHalf{
    UnaryRow{UnaryOp::Absolute, {5, 1}, vectors(5, 4)},
    same(UnaryOp::Asin, {106, 1}),
    same(UnaryOp::CubeRoot, vectors(21, 4)),
    same(UnaryOp::Ceil, vectors(6, 4)),
    same(UnaryOp::Cos, {25, 1}),
    same(UnaryOp::Erf, {13, 1}),
    same(UnaryOp::Exponent, {4, 4}),
    same(UnaryOp::Exponent2, {4, 4}),
    same(UnaryOp::ExponentMinusOne, vectors(9, 4)),
    same(UnaryOp::Floor, vectors(6, 4)),
    same(UnaryOp::GeluErf, {16, 1}),
    same(UnaryOp::Inverse, {15, 4}),
    same(UnaryOp::IsFinite, vectors(9, 4)),
    same(UnaryOp::IsInf, vectors(9, 4)),
    same(UnaryOp::IsNaN, vectors(7, 4)),
    UnaryRow{UnaryOp::Logarithm, {4, 4}, {6, 4}},
    UnaryRow{UnaryOp::LogarithmOnePlus, vectors(22, 4), vectors(21, 4)},
    same(UnaryOp::NearbyInt, vectors(6, 4)),
    UnaryRow{UnaryOp::Negate, {2, 4}, {3, 4}},
    UnaryRow{UnaryOp::Relu, {3, 4}, {2, 4}},
    same(UnaryOp::Round, vectors(6, 4)),
    same(UnaryOp::Rsqrt, {19, 4}),
    UnaryRow{UnaryOp::Sigmoid, {6, 4}, {4, 4}},
    same(UnaryOp::Signum, vectors(9, 4)),
    same(UnaryOp::Sin, {25, 1}),
    same(UnaryOp::Sqrt, {23, 4}),
    same(UnaryOp::Square, {2, 4}),
    same(UnaryOp::Tan, {5700, 1}),
    UnaryRow{UnaryOp::Tanh, {4, 4}, {2, 4}},
    same(UnaryOp::Truncate, {11, 4}),
};
constexpr std::array kUnaryOpInt{
    same(UnaryOp::Absolute, {6, 1}),
    same(UnaryOp::BitwiseNot, vectors(5, 2)),
    same(UnaryOp::CountLeadingZeros, {5, 1}),
    same(UnaryOp::Negate, {6, 1}),
    same(UnaryOp::PopCount, {5, 1}),
    same(UnaryOp::Signum, {9, 1}),
    same(UnaryOp::Sqrt, {114, 1}),
    same(UnaryOp::Square, vectors(5, 2)),
};
constexpr std::array kUnaryOpShort{same(UnaryOp::BitwiseNot, {2, 4})};
constexpr std::array kUnaryOpBool{UnaryRow{UnaryOp::LogicalNot, {21, 1}, vectors(21, 8)}};
constexpr std::array kUnaryOpLongLong{
    same(UnaryOp::Absolute, {14, 1}),
    same(UnaryOp::BitwiseNot, {7, 1}),
    same(UnaryOp::Negate, {9, 1}),
};

template <typename Table>
UnaryLoop loopIn(const Table& table, const UnaryOpKind& kind) {
  const bool in_place = kind.placement == OpPlacement::InPlace;
  for (const UnaryRow& row : table) {
    if (row.op == kind.op) return in_place ? row.in_place : row.out_of_place;
  }
  return {};
}

UnaryLoop loopOf(const UnaryOpKind& kind) {
  switch (kind.type.name()) {
    case DataType::Name::Float:
      return loopIn(kUnaryOpFloat, kind);
    case DataType::Name::Half:
      return loopIn(kUnaryOpHalf, kind);
    case DataType::Name::Int:
    case DataType::Name::UnsignedInt:
      return loopIn(kUnaryOpInt, kind);
    case DataType::Name::Short:
    case DataType::Name::UnsignedShort:
      return loopIn(kUnaryOpShort, kind);
    case DataType::Name::Bool:
      return loopIn(kUnaryOpBool, kind);
    case DataType::Name::LongLong:
    case DataType::Name::UnsignedLongLong:
      return loopIn(kUnaryOpLongLong, kind);
    case DataType::Name::Char:
    case DataType::Name::SignedChar:
    case DataType::Name::UnsignedChar:
    case DataType::Name::Quarter:
      break;
  }
  return {};
}

std::uint64_t loopSlots(const UnaryOpKind& kind, std::uint64_t n) {
  const UnaryLoop loop = loopOf(kind);
  check(loop.slots > 0, "no published cost of this operator on this type");
  if (loop.rounding == UnaryLoop::Rounding::WholeGroups)
    return loop.slots * ceilDiv(n, loop.elements);
  return loop.slots * (n + loop.elements - 1) / loop.elements;
}

std::uint64_t startSlots(const UnaryOpKind& kind) {
  if (kind.placement == OpPlacement::InPlace) return 55;
  return kind.op == UnaryOp::Exponent ? 33 : 17;
}

}  // namespace

Cycles unaryOpCycles(const Architecture& machine, const UnaryOpShape& shape) {
  const std::uint64_t share = largestShare(machine, shape.elements);
  const std::uint64_t slots = startSlots(shape.kind) + loopSlots(shape.kind, share);
  return Cycles(kUnaryOpSupervisorCall) + tileCyclesOf(machine, slots);
}

Cycles unaryOp2dCycles(const Architecture& /*machine*/, const UnaryOp2dShape& shape) {
  return regionCycles(kWorkerStart2d, shape.regions,
                      [&](std::uint64_t n) { return loopSlots(shape.kind, n); });
}

}  // namespace ipusim::models
