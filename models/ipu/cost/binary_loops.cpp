// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/binary_loops.h"

#include <algorithm>
#include <array>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

/// Issue slots for a group of elements, out of place and in place. Without slots there is no
/// codelet.
struct Loop {
  std::uint64_t out_of_place;
  std::uint64_t in_place;
  std::uint64_t elements;
};

struct Row {
  BinaryOp op;
  Loop two_tensors;
  Loop scalar;
};

// Source: the cycle tables of graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). The
// result of a comparison is a bool, so it fits in place of bools only.
constexpr std::array kFloat{
    Row{BinaryOp::Add, {3, 3, 2}, {2, 2, 2}},
    Row{BinaryOp::Subtract, {3, 3, 2}, {2, 2, 2}},
    Row{BinaryOp::Multiply, {3, 3, 2}, {2, 2, 2}},
    Row{BinaryOp::Divide, {10, 10, 2}, {6, 6, 2}},
    Row{BinaryOp::Remainder, {133, 133, 2}, {93, 93, 2}},
    Row{BinaryOp::Maximum, {3, 4, 2}, {3, 3, 2}},
    Row{BinaryOp::Minimum, {3, 4, 2}, {3, 3, 2}},
    Row{BinaryOp::Power, {312, 312, 1}, {312, 312, 1}},
    Row{BinaryOp::Atan2, {272, 272, 2}, {272, 272, 2}},
    Row{BinaryOp::Equal, {14, 0, 4}, {12, 0, 4}},
    Row{BinaryOp::NotEqual, {20, 0, 4}, {18, 0, 4}},
    Row{BinaryOp::LessThan, {14, 0, 4}, {12, 0, 4}},
    Row{BinaryOp::LessOrEqual, {14, 0, 4}, {12, 0, 4}},
    Row{BinaryOp::GreaterThan, {14, 0, 4}, {12, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {14, 0, 4}, {12, 0, 4}},
};
constexpr std::array kHalf{
    Row{BinaryOp::Add, {3, 3, 4}, {2, 2, 4}},
    Row{BinaryOp::Subtract, {3, 3, 4}, {2, 2, 4}},
    Row{BinaryOp::Multiply, {3, 3, 4}, {2, 2, 4}},
    Row{BinaryOp::Divide, {21, 21, 4}, {8, 8, 2}},
    Row{BinaryOp::Remainder, {300, 300, 4}, {225, 225, 4}},
    Row{BinaryOp::Maximum, {4, 4, 4}, {3, 3, 4}},
    Row{BinaryOp::Minimum, {4, 4, 4}, {3, 3, 4}},
    Row{BinaryOp::Power, {325, 325, 1}, {325, 325, 1}},
    Row{BinaryOp::Atan2, {578, 578, 4}, {578, 578, 4}},
    Row{BinaryOp::Equal, {9, 0, 4}, {8, 0, 4}},
    Row{BinaryOp::NotEqual, {11, 0, 4}, {10, 0, 4}},
    Row{BinaryOp::LessThan, {9, 0, 4}, {8, 0, 4}},
    Row{BinaryOp::LessOrEqual, {9, 0, 4}, {8, 0, 4}},
    Row{BinaryOp::GreaterThan, {9, 0, 4}, {8, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {9, 0, 4}, {8, 0, 4}},
};
constexpr std::array kInt{
    Row{BinaryOp::Add, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Subtract, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Multiply, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Divide, {277, 277, 1}, {277, 277, 1}},
    Row{BinaryOp::Remainder, {292, 292, 1}, {280, 280, 1}},
    Row{BinaryOp::Maximum, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Minimum, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Power, {32, 34, 1}, {23, 25, 1}},
    Row{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::LessThan, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::LessOrEqual, {26, 0, 4}, {20, 0, 4}},
    Row{BinaryOp::GreaterThan, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {26, 0, 4}, {20, 0, 4}},
    Row{BinaryOp::BitwiseAnd, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseOr, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseXor, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseXnor, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftLeft, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftRight, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftRightSignExtend, {7, 7, 1}, {6, 6, 1}},
};
constexpr std::array kUnsignedInt{
    Row{BinaryOp::Add, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Subtract, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Multiply, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::Divide, {265, 264, 1}, {260, 260, 1}},
    Row{BinaryOp::Remainder, {282, 282, 1}, {267, 267, 1}},
    Row{BinaryOp::Maximum, {8, 8, 1}, {7, 7, 1}},
    Row{BinaryOp::Minimum, {8, 8, 1}, {8, 8, 1}},
    Row{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::LessThan, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::LessOrEqual, {26, 0, 4}, {20, 0, 4}},
    Row{BinaryOp::GreaterThan, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {26, 0, 4}, {20, 0, 4}},
    Row{BinaryOp::BitwiseAnd, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseOr, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseXor, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::BitwiseXnor, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftLeft, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftRight, {7, 7, 1}, {6, 6, 1}},
    Row{BinaryOp::ShiftRightSignExtend, {7, 7, 1}, {6, 6, 1}},
};
constexpr std::array kBool{
    Row{BinaryOp::Equal, {6, 6, 4}, {14, 5, 4}},
    Row{BinaryOp::NotEqual, {5, 5, 4}, {4, 4, 4}},
    Row{BinaryOp::LessThan, {28, 28, 4}, {16, 16, 4}},
    Row{BinaryOp::LessOrEqual, {28, 28, 4}, {16, 16, 4}},
    Row{BinaryOp::GreaterThan, {31, 31, 4}, {12, 12, 4}},
    Row{BinaryOp::GreaterOrEqual, {28, 28, 4}, {12, 12, 4}},
    Row{BinaryOp::LogicalAnd, {5, 5, 4}, {4, 4, 4}},
    Row{BinaryOp::LogicalOr, {5, 5, 4}, {4, 4, 4}},
};
constexpr std::array kShort{
    Row{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    Row{BinaryOp::BitwiseAnd, {3, 3, 4}, {2, 2, 4}},
    Row{BinaryOp::BitwiseOr, {3, 3, 4}, {2, 2, 4}},
    Row{BinaryOp::BitwiseXor, {5, 5, 2}, {4, 4, 2}},
    Row{BinaryOp::BitwiseXnor, {6, 6, 2}, {4, 4, 2}},
};
constexpr std::array kLongLong{
    Row{BinaryOp::Add, {11, 11, 1}, {9, 9, 1}},
    Row{BinaryOp::Subtract, {11, 11, 1}, {9, 9, 1}},
    Row{BinaryOp::Multiply, {30, 28, 1}, {26, 26, 1}},
    Row{BinaryOp::Divide, {130, 130, 1}, {103, 103, 1}},
    Row{BinaryOp::Remainder, {166, 165, 1}, {137, 135, 1}},
    Row{BinaryOp::Maximum, {15, 15, 1}, {14, 14, 1}},
    Row{BinaryOp::Minimum, {15, 15, 1}, {14, 14, 1}},
    Row{BinaryOp::Equal, {48, 0, 4}, {32, 0, 4}},
    Row{BinaryOp::NotEqual, {48, 0, 4}, {32, 0, 4}},
    Row{BinaryOp::LessThan, {56, 0, 4}, {38, 0, 4}},
    Row{BinaryOp::LessOrEqual, {62, 0, 4}, {50, 0, 4}},
    Row{BinaryOp::GreaterThan, {56, 0, 4}, {38, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {62, 0, 4}, {50, 0, 4}},
    Row{BinaryOp::BitwiseAnd, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseOr, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseXor, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseXnor, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::ShiftLeft, {18, 16, 1}, {16, 16, 1}},
    Row{BinaryOp::ShiftRight, {6, 6, 1}, {5, 5, 1}},
    Row{BinaryOp::ShiftRightSignExtend, {19, 17, 1}, {17, 17, 1}},
};
constexpr std::array kUnsignedLongLong{
    Row{BinaryOp::Add, {11, 11, 1}, {9, 9, 1}},
    Row{BinaryOp::Subtract, {11, 11, 1}, {9, 9, 1}},
    Row{BinaryOp::Multiply, {30, 28, 1}, {26, 26, 1}},
    Row{BinaryOp::Divide, {115, 113, 1}, {148, 148, 1}},
    Row{BinaryOp::Remainder, {149, 146, 1}, {178, 179, 1}},
    Row{BinaryOp::Maximum, {13, 13, 1}, {11, 11, 1}},
    Row{BinaryOp::Minimum, {13, 13, 1}, {13, 13, 1}},
    Row{BinaryOp::Equal, {48, 0, 4}, {32, 0, 4}},
    Row{BinaryOp::NotEqual, {48, 0, 4}, {32, 0, 4}},
    Row{BinaryOp::LessThan, {56, 0, 4}, {38, 0, 4}},
    Row{BinaryOp::LessOrEqual, {62, 0, 4}, {50, 0, 4}},
    Row{BinaryOp::GreaterThan, {56, 0, 4}, {38, 0, 4}},
    Row{BinaryOp::GreaterOrEqual, {62, 0, 4}, {50, 0, 4}},
    Row{BinaryOp::BitwiseAnd, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseOr, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseXor, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::BitwiseXnor, {9, 9, 1}, {7, 7, 1}},
    Row{BinaryOp::ShiftLeft, {18, 16, 1}, {16, 16, 1}},
    Row{BinaryOp::ShiftRight, {6, 6, 1}, {5, 5, 1}},
    Row{BinaryOp::ShiftRightSignExtend, {19, 17, 1}, {17, 17, 1}},
};

template <typename Table>
const Row* rowOf(const Table& table, BinaryOp op) {
  const auto* const row =
      std::find_if(table.begin(), table.end(), [op](const Row& one) { return one.op == op; });
  return row == table.end() ? nullptr : row;
}

/// The row of the operator in the table of the type, or null.
const Row* rowOf(const BinaryOpKind& kind) {
  switch (kind.type.name()) {
    case DataType::Name::Float:
      return rowOf(kFloat, kind.op);
    case DataType::Name::Half:
      return rowOf(kHalf, kind.op);
    case DataType::Name::Int:
      return rowOf(kInt, kind.op);
    case DataType::Name::UnsignedInt:
      return rowOf(kUnsignedInt, kind.op);
    case DataType::Name::Bool:
      return rowOf(kBool, kind.op);
    case DataType::Name::Short:
    case DataType::Name::UnsignedShort:
      return rowOf(kShort, kind.op);
    case DataType::Name::LongLong:
      return rowOf(kLongLong, kind.op);
    case DataType::Name::UnsignedLongLong:
      return rowOf(kUnsignedLongLong, kind.op);
    case DataType::Name::Char:
    case DataType::Name::SignedChar:
    case DataType::Name::UnsignedChar:
    case DataType::Name::Quarter:
      break;
  }
  return nullptr;
}

/// Without slots where there is no codelet.
BinaryLoop find(const BinaryOpKind& kind, SecondOperand second) {
  const Row* const row = rowOf(kind);
  if (row == nullptr) return {};
  const Loop& loop = second == SecondOperand::Tensor ? row->two_tensors : row->scalar;
  const bool in_place = kind.placement == OpPlacement::InPlace;
  return {in_place ? loop.in_place : loop.out_of_place, loop.elements};
}

}  // namespace

bool hasLoop(const BinaryOpKind& kind, SecondOperand second) {
  return find(kind, second).slots > 0;
}

BinaryLoop binaryLoop(const BinaryOpKind& kind, SecondOperand second) {
  const BinaryLoop loop = find(kind, second);
  check(loop.slots > 0, "no published cost of this operator on this type and in this place");
  return loop;
}

}  // namespace ipusim::models
