// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/unary_op.h"

#include <array>

#include "ipusim/error.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in unary_op.h.

namespace ipusim::models {
namespace {

constexpr std::uint64_t kSupervisorCall = 20;
constexpr std::uint64_t kWorkerStart2d = 20;

/// An inner loop: issue slots per group of elements. Without slots there is no codelet.
struct Loop {
  enum class Rounding : std::uint8_t {
    WholeGroups,   ///< a part-used group costs as much as a whole one
    WholeProduct,  ///< the last group is charged by its share, rounded down
  };
  std::uint64_t slots = 0;
  std::uint64_t elements = 0;
  Rounding rounding = Rounding::WholeGroups;
};

/// A template over vectors that fill a register pair.
constexpr Loop vectors(std::uint64_t slots, std::uint64_t elements) {
  return {slots, elements, Loop::Rounding::WholeProduct};
}

struct Row {
  UnaryOp op;
  Loop out_of_place;
  Loop in_place;
};

constexpr Row same(UnaryOp op, Loop loop) {
  return {op, loop, loop};
}

// Source: the cycle tables of graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
constexpr std::array kFloat{
    Row{UnaryOp::Absolute, {5, 1}, vectors(5, 2)},
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
    Row{UnaryOp::Logarithm, {12, 2}, {14, 2}},
    same(UnaryOp::LogarithmOnePlus, vectors(22, 2)),
    same(UnaryOp::NearbyInt, vectors(6, 2)),
    Row{UnaryOp::Negate, {2, 2}, {3, 2}},
    Row{UnaryOp::Relu, {3, 2}, {2, 2}},
    same(UnaryOp::Round, vectors(6, 2)),
    same(UnaryOp::Rsqrt, {8, 2}),
    Row{UnaryOp::Sigmoid, {12, 2}, {10, 2}},
    same(UnaryOp::Signum, vectors(9, 2)),
    same(UnaryOp::Sin, {2304, 1}),
    same(UnaryOp::Sqrt, {10, 2}),
    same(UnaryOp::Square, {2, 2}),
    same(UnaryOp::Tan, {5100, 1}),
    Row{UnaryOp::Tanh, {12, 2}, {10, 2}},
    Row{UnaryOp::Truncate, {3, 2}, {4, 2}},
};
constexpr std::array kHalf{
    Row{UnaryOp::Absolute, {5, 1}, vectors(5, 4)},
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
    Row{UnaryOp::Logarithm, {4, 4}, {6, 4}},
    Row{UnaryOp::LogarithmOnePlus, vectors(22, 4), vectors(21, 4)},
    same(UnaryOp::NearbyInt, vectors(6, 4)),
    Row{UnaryOp::Negate, {2, 4}, {3, 4}},
    Row{UnaryOp::Relu, {3, 4}, {2, 4}},
    same(UnaryOp::Round, vectors(6, 4)),
    same(UnaryOp::Rsqrt, {19, 4}),
    Row{UnaryOp::Sigmoid, {6, 4}, {4, 4}},
    same(UnaryOp::Signum, vectors(9, 4)),
    same(UnaryOp::Sin, {25, 1}),
    same(UnaryOp::Sqrt, {23, 4}),
    same(UnaryOp::Square, {2, 4}),
    same(UnaryOp::Tan, {5700, 1}),
    Row{UnaryOp::Tanh, {4, 4}, {2, 4}},
    same(UnaryOp::Truncate, {11, 4}),
};
constexpr std::array kInt{
    same(UnaryOp::Absolute, {6, 1}),
    same(UnaryOp::BitwiseNot, vectors(5, 2)),
    same(UnaryOp::CountLeadingZeros, {5, 1}),
    same(UnaryOp::Negate, {6, 1}),
    same(UnaryOp::PopCount, {5, 1}),
    same(UnaryOp::Signum, {9, 1}),
    same(UnaryOp::Sqrt, {114, 1}),
    same(UnaryOp::Square, vectors(5, 2)),
};
constexpr std::array kShort{same(UnaryOp::BitwiseNot, {2, 4})};
constexpr std::array kBool{Row{UnaryOp::LogicalNot, {21, 1}, vectors(21, 8)}};
constexpr std::array kLongLong{
    same(UnaryOp::Absolute, {14, 1}),
    same(UnaryOp::BitwiseNot, {7, 1}),
    same(UnaryOp::Negate, {9, 1}),
};

template <typename Table>
Loop loopIn(const Table& table, const UnaryOpKind& kind) {
  const bool in_place = kind.placement == OpPlacement::InPlace;
  for (const Row& row : table) {
    if (row.op == kind.op) return in_place ? row.in_place : row.out_of_place;
  }
  return {};
}

Loop loopOf(const UnaryOpKind& kind) {
  switch (kind.type.name()) {
    case DataType::Name::Float:
      return loopIn(kFloat, kind);
    case DataType::Name::Half:
      return loopIn(kHalf, kind);
    case DataType::Name::Int:
    case DataType::Name::UnsignedInt:
      return loopIn(kInt, kind);
    case DataType::Name::Short:
    case DataType::Name::UnsignedShort:
      return loopIn(kShort, kind);
    case DataType::Name::Bool:
      return loopIn(kBool, kind);
    case DataType::Name::LongLong:
    case DataType::Name::UnsignedLongLong:
      return loopIn(kLongLong, kind);
    case DataType::Name::Char:
    case DataType::Name::SignedChar:
    case DataType::Name::UnsignedChar:
    case DataType::Name::Quarter:
      break;
  }
  return {};
}

std::uint64_t loopSlots(const UnaryOpKind& kind, std::uint64_t n) {
  const Loop loop = loopOf(kind);
  check(loop.slots > 0, "no published cost of this operator on this type");
  if (loop.rounding == Loop::Rounding::WholeGroups) return loop.slots * ceilDiv(n, loop.elements);
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
  return Cycles(kSupervisorCall) + tileCyclesOf(machine, slots);
}

Cycles unaryOp2dCycles(const Architecture& /*machine*/, const UnaryOp2dShape& shape) {
  return regionCycles(kWorkerStart2d, shape.regions,
                      [&](std::uint64_t n) { return loopSlots(shape.kind, n); });
}

}  // namespace ipusim::models
