// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/binary_loops.h"

#include <algorithm>
#include <array>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

/// Issue slots for a group of elements, out of place and in place. Without slots there is no
/// codelet.
struct PairedLoop {
  std::uint64_t out_of_place;
  std::uint64_t in_place;
  std::uint64_t elements;
};

struct BinaryRow {
  BinaryOp op;
  PairedLoop two_tensors;
  PairedLoop scalar;
};

// Source: the cycle tables of graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). The
// result of a comparison is a bool, so it fits in place of bools only.
constexpr std::array kBinaryLoopsFloat{
    BinaryRow{BinaryOp::Add, {3, 3, 2}, {2, 2, 2}},
    BinaryRow{BinaryOp::Subtract, {3, 3, 2}, {2, 2, 2}},
    BinaryRow{BinaryOp::Multiply, {3, 3, 2}, {2, 2, 2}},
    BinaryRow{BinaryOp::Divide, {10, 10, 2}, {6, 6, 2}},
    BinaryRow{BinaryOp::Remainder, {133, 133, 2}, {93, 93, 2}},
    BinaryRow{BinaryOp::Maximum, {3, 4, 2}, {3, 3, 2}},
    BinaryRow{BinaryOp::Minimum, {3, 4, 2}, {3, 3, 2}},
    BinaryRow{BinaryOp::Power, {312, 312, 1}, {312, 312, 1}},
    BinaryRow{BinaryOp::Atan2, {272, 272, 2}, {272, 272, 2}},
    BinaryRow{BinaryOp::Equal, {14, 0, 4}, {12, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {20, 0, 4}, {18, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {14, 0, 4}, {12, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {14, 0, 4}, {12, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {14, 0, 4}, {12, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {14, 0, 4}, {12, 0, 4}},
};
constexpr std::array kBinaryLoopsHalf{
    BinaryRow{BinaryOp::Add, {3, 3, 4}, {2, 2, 4}},
    BinaryRow{BinaryOp::Subtract, {3, 3, 4}, {2, 2, 4}},
    BinaryRow{BinaryOp::Multiply, {3, 3, 4}, {2, 2, 4}},
    BinaryRow{BinaryOp::Divide, {21, 21, 4}, {8, 8, 2}},
    BinaryRow{BinaryOp::Remainder, {300, 300, 4}, {225, 225, 4}},
    BinaryRow{BinaryOp::Maximum, {4, 4, 4}, {3, 3, 4}},
    BinaryRow{BinaryOp::Minimum, {4, 4, 4}, {3, 3, 4}},
    BinaryRow{BinaryOp::Power, {325, 325, 1}, {325, 325, 1}},
    BinaryRow{BinaryOp::Atan2, {578, 578, 4}, {578, 578, 4}},
    BinaryRow{BinaryOp::Equal, {9, 0, 4}, {8, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {11, 0, 4}, {10, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {9, 0, 4}, {8, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {9, 0, 4}, {8, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {9, 0, 4}, {8, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {9, 0, 4}, {8, 0, 4}},
};
constexpr std::array kBinaryLoopsInt{
    BinaryRow{BinaryOp::Add, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Subtract, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Multiply, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Divide, {277, 277, 1}, {277, 277, 1}},
    BinaryRow{BinaryOp::Remainder, {292, 292, 1}, {280, 280, 1}},
    BinaryRow{BinaryOp::Maximum, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Minimum, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Power, {32, 34, 1}, {23, 25, 1}},
    BinaryRow{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {26, 0, 4}, {20, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {26, 0, 4}, {20, 0, 4}},
    BinaryRow{BinaryOp::BitwiseAnd, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseOr, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseXor, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseXnor, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftLeft, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftRight, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftRightSignExtend, {7, 7, 1}, {6, 6, 1}},
};
constexpr std::array kUnsignedInt{
    BinaryRow{BinaryOp::Add, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Subtract, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Multiply, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::Divide, {265, 264, 1}, {260, 260, 1}},
    BinaryRow{BinaryOp::Remainder, {282, 282, 1}, {267, 267, 1}},
    BinaryRow{BinaryOp::Maximum, {8, 8, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::Minimum, {8, 8, 1}, {8, 8, 1}},
    BinaryRow{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {26, 0, 4}, {20, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {26, 0, 4}, {20, 0, 4}},
    BinaryRow{BinaryOp::BitwiseAnd, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseOr, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseXor, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::BitwiseXnor, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftLeft, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftRight, {7, 7, 1}, {6, 6, 1}},
    BinaryRow{BinaryOp::ShiftRightSignExtend, {7, 7, 1}, {6, 6, 1}},
};
constexpr std::array kBinaryLoopsBool{
    BinaryRow{BinaryOp::Equal, {6, 6, 4}, {14, 5, 4}},
    BinaryRow{BinaryOp::NotEqual, {5, 5, 4}, {4, 4, 4}},
    BinaryRow{BinaryOp::LessThan, {28, 28, 4}, {16, 16, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {28, 28, 4}, {16, 16, 4}},
    BinaryRow{BinaryOp::GreaterThan, {31, 31, 4}, {12, 12, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {28, 28, 4}, {12, 12, 4}},
    BinaryRow{BinaryOp::LogicalAnd, {5, 5, 4}, {4, 4, 4}},
    BinaryRow{BinaryOp::LogicalOr, {5, 5, 4}, {4, 4, 4}},
};
constexpr std::array kBinaryLoopsShort{
    BinaryRow{BinaryOp::Equal, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {22, 0, 4}, {16, 0, 4}},
    BinaryRow{BinaryOp::BitwiseAnd, {3, 3, 4}, {2, 2, 4}},
    BinaryRow{BinaryOp::BitwiseOr, {3, 3, 4}, {2, 2, 4}},
    BinaryRow{BinaryOp::BitwiseXor, {5, 5, 2}, {4, 4, 2}},
    BinaryRow{BinaryOp::BitwiseXnor, {6, 6, 2}, {4, 4, 2}},
};
constexpr std::array kBinaryLoopsLongLong{
    BinaryRow{BinaryOp::Add, {11, 11, 1}, {9, 9, 1}},
    BinaryRow{BinaryOp::Subtract, {11, 11, 1}, {9, 9, 1}},
    BinaryRow{BinaryOp::Multiply, {30, 28, 1}, {26, 26, 1}},
    BinaryRow{BinaryOp::Divide, {130, 130, 1}, {103, 103, 1}},
    BinaryRow{BinaryOp::Remainder, {166, 165, 1}, {137, 135, 1}},
    BinaryRow{BinaryOp::Maximum, {15, 15, 1}, {14, 14, 1}},
    BinaryRow{BinaryOp::Minimum, {15, 15, 1}, {14, 14, 1}},
    BinaryRow{BinaryOp::Equal, {48, 0, 4}, {32, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {48, 0, 4}, {32, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {56, 0, 4}, {38, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {62, 0, 4}, {50, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {56, 0, 4}, {38, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {62, 0, 4}, {50, 0, 4}},
    BinaryRow{BinaryOp::BitwiseAnd, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseOr, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseXor, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseXnor, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::ShiftLeft, {18, 16, 1}, {16, 16, 1}},
    BinaryRow{BinaryOp::ShiftRight, {6, 6, 1}, {5, 5, 1}},
    BinaryRow{BinaryOp::ShiftRightSignExtend, {19, 17, 1}, {17, 17, 1}},
};
constexpr std::array kUnsignedLongLong{
    BinaryRow{BinaryOp::Add, {11, 11, 1}, {9, 9, 1}},
    BinaryRow{BinaryOp::Subtract, {11, 11, 1}, {9, 9, 1}},
    BinaryRow{BinaryOp::Multiply, {30, 28, 1}, {26, 26, 1}},
    BinaryRow{BinaryOp::Divide, {115, 113, 1}, {148, 148, 1}},
    BinaryRow{BinaryOp::Remainder, {149, 146, 1}, {178, 179, 1}},
    BinaryRow{BinaryOp::Maximum, {13, 13, 1}, {11, 11, 1}},
    BinaryRow{BinaryOp::Minimum, {13, 13, 1}, {13, 13, 1}},
    BinaryRow{BinaryOp::Equal, {48, 0, 4}, {32, 0, 4}},
    BinaryRow{BinaryOp::NotEqual, {48, 0, 4}, {32, 0, 4}},
    BinaryRow{BinaryOp::LessThan, {56, 0, 4}, {38, 0, 4}},
    BinaryRow{BinaryOp::LessOrEqual, {62, 0, 4}, {50, 0, 4}},
    BinaryRow{BinaryOp::GreaterThan, {56, 0, 4}, {38, 0, 4}},
    BinaryRow{BinaryOp::GreaterOrEqual, {62, 0, 4}, {50, 0, 4}},
    BinaryRow{BinaryOp::BitwiseAnd, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseOr, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseXor, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::BitwiseXnor, {9, 9, 1}, {7, 7, 1}},
    BinaryRow{BinaryOp::ShiftLeft, {18, 16, 1}, {16, 16, 1}},
    BinaryRow{BinaryOp::ShiftRight, {6, 6, 1}, {5, 5, 1}},
    BinaryRow{BinaryOp::ShiftRightSignExtend, {19, 17, 1}, {17, 17, 1}},
};

template <typename Table>
const BinaryRow* rowOf(const Table& table, BinaryOp op) {
  const auto* const row =
      std::find_if(table.begin(), table.end(), [op](const BinaryRow& one) { return one.op == op; });
  return row == table.end() ? nullptr : row;
}

/// The row of the operator in the table of the type, or null.
const BinaryRow* rowOf(const BinaryOpKind& kind) {
  switch (kind.type.name()) {
    case DataType::Name::Float:
      return rowOf(kBinaryLoopsFloat, kind.op);
    case DataType::Name::Half:
      return rowOf(kBinaryLoopsHalf, kind.op);
    case DataType::Name::Int:
      return rowOf(kBinaryLoopsInt, kind.op);
    case DataType::Name::UnsignedInt:
      return rowOf(kUnsignedInt, kind.op);
    case DataType::Name::Bool:
      return rowOf(kBinaryLoopsBool, kind.op);
    case DataType::Name::Short:
    case DataType::Name::UnsignedShort:
      return rowOf(kBinaryLoopsShort, kind.op);
    case DataType::Name::LongLong:
      return rowOf(kBinaryLoopsLongLong, kind.op);
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
  const BinaryRow* const row = rowOf(kind);
  if (row == nullptr) return {};
  const PairedLoop& loop = second == SecondOperand::Tensor ? row->two_tensors : row->scalar;
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
