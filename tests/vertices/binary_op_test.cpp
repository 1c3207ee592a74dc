// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

using models::BinaryOpKind;
using models::OpPlacement;
using Op = models::BinaryOp;

Numbers apply(const BinaryOpKind& op, const Numbers& left, const Numbers& right) {
  const std::size_t result = op.placement == OpPlacement::InPlace ? 0 : 2;
  return computed(binaryOpVertex({op, Runs::one(left.size())}), {left, right}, result);
}

TEST(BinaryOp, ComputesWhatItsNameSays) {
  const Numbers left{6, -8};
  const Numbers right{3, 2};
  EXPECT_EQ(apply({Op::Add, ElementType::Float}, left, right), (Numbers{9, -6}));
  EXPECT_EQ(apply({Op::Subtract, ElementType::Float}, left, right), (Numbers{3, -10}));
  EXPECT_EQ(apply({Op::Multiply, ElementType::Half}, left, right), (Numbers{18, -16}));
  EXPECT_EQ(apply({Op::Divide, ElementType::Half}, left, right), (Numbers{2, -4}));
  EXPECT_EQ(apply({Op::Maximum, ElementType::Float}, left, right), (Numbers{6, 2}));
  EXPECT_EQ(apply({Op::Minimum, ElementType::Float}, left, right), (Numbers{3, -8}));
  EXPECT_EQ(apply({Op::Power, ElementType::Float}, left, right), (Numbers{216, 64}));
}

TEST(BinaryOp, ComparesIntoBools) {
  EXPECT_EQ(apply({Op::GreaterThan, ElementType::Half}, {1, 2}, {2, 1}), (Numbers{0, 1}));
  EXPECT_EQ(apply({Op::Equal, ElementType::Int32}, {-1, 2}, {-1, 1}), (Numbers{1, 0}));
  const VertexType type = binaryOpVertex({{Op::Equal, ElementType::Float}, Runs::one(3)});
  EXPECT_EQ(type.fields[2].type, ElementType::Bool);
}

TEST(BinaryOp, ShiftsZerosIn) {
  EXPECT_EQ(apply({Op::ShiftRight, ElementType::UInt32}, {4'294'967'295, 13, 13}, {28, 2, 40}),
            (Numbers{15, 3, 0}));
  EXPECT_EQ(apply({Op::ShiftRight, ElementType::Int32}, {-1}, {31}), (Numbers{1}));
}

TEST(BinaryOp, LeavesTheResultInItsFirstOperandInPlace) {
  const BinaryOpKind op{Op::Add, ElementType::Float, OpPlacement::InPlace};
  EXPECT_EQ(apply(op, {1, 2}, {10, 20}), (Numbers{11, 22}));
  const VertexType type = binaryOpVertex({op, Runs::one(2)});
  EXPECT_EQ(type.fields.size(), 2U);
  EXPECT_EQ(type.fields[0].direction, FieldDirection::InOut);
  EXPECT_EQ(type.sizes.state, Bytes(12));
}

TEST(BinaryOp, CountsWithIntegersThatWrapRound) {
  const BinaryOpKind unsigned_add{Op::Add, ElementType::UInt32, OpPlacement::InPlace};
  EXPECT_EQ(apply(unsigned_add, {7, 4294967295.0}, {1, 2}), (Numbers{8, 1}));
  EXPECT_EQ(apply({Op::Multiply, ElementType::Int32}, {65536, -3}, {65536, 5}), (Numbers{0, -15}));
}

TEST(BinaryOp, LeavesZeroWhereAnIntegerIsDividedByZero) {
  EXPECT_EQ(apply({Op::Divide, ElementType::Int32}, {7, -7, 0}, {0, 2, 0}), (Numbers{0, -3, 0}));
  EXPECT_EQ(apply({Op::Divide, ElementType::UInt32}, {7}, {0}), (Numbers{0}));
}

TEST(BinaryOp, RoundsToHalf) {
  EXPECT_EQ(apply({Op::Add, ElementType::Half}, {2048, 2048}, {1, 3}), (Numbers{2048, 2052}));
}

TEST(BinaryOp, OfAListGoesOverEveryRun) {
  const VertexType type = binaryOpVertex({{Op::Add, ElementType::Float}, Runs::list({2, 2, 1})});
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}}, 2),
            (Numbers{11, 22, 33, 44, 55}));
  EXPECT_EQ(type.fields[0].groups.size(), 2U);
  EXPECT_EQ(type.fields[0].edges(), 3);
  EXPECT_EQ(type.kind, VertexKind::Worker);
  EXPECT_EQ(type.sizes.state + type.sizes.field_data, Bytes(16 + 3 * 16));
}

TEST(BinaryOp, CostsThePublishedEstimate) {
  const BinaryOpKind op{Op::Add, ElementType::Half};
  // 11 + 6 (26 + 3 ceil(17 / 4)) for 100 halves; 5 + 3 * 2 + 3 for runs of 5 and 3.
  EXPECT_EQ(binaryOpVertex({op, Runs::one(100)}).cycles(models::gc200()),
            Cycles(11 + 6 * (26 + 15)));
  EXPECT_EQ(binaryOpVertex({op, Runs::list({5, 3})}).cycles(models::gc200()), Cycles(5 + 6 + 3));
}

TEST(BinaryOp, CountsFloatingPointWorkOnly) {
  EXPECT_EQ(binaryOpVertex({{Op::Add, ElementType::Half}, Runs::one(9)}).work.flops, Flops(9));
  EXPECT_EQ(binaryOpVertex({{Op::Add, ElementType::UInt32}, Runs::one(9)}).work.flops, Flops(0));
}

}  // namespace
}  // namespace ipusim::workloads
