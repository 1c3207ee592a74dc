// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/binary_op.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr BinaryOpKind kAddFloat{BinaryOp::Add, ElementType::Float};
constexpr BinaryOpKind kAddHalf{BinaryOp::Add, ElementType::Half};
constexpr BinaryOpKind kAddFloatInPlace{BinaryOp::Add, ElementType::Float, OpPlacement::InPlace};

TEST(BinaryOpCycles, AddsAVectorInThreeSlots) {
  // 200 per worker
  EXPECT_EQ(binaryOpCycles(toyMachine(), {kAddFloat, 1200}), Cycles(11 + 6 * (29 + 3 * 100)));
  EXPECT_EQ(binaryOpCycles(toyMachine(), {kAddHalf, 1200}), Cycles(11 + 6 * (26 + 3 * 50)));
}

TEST(BinaryOpCycles, StartsLaterInPlace) {
  EXPECT_EQ(binaryOpCycles(toyMachine(), {kAddFloatInPlace, 1200}),
            Cycles(11 + 6 * (58 + 3 * 100)));
}

TEST(BinaryOpCycles, RoundsAPartUsedVectorUp) {
  EXPECT_EQ(binaryOpCycles(toyMachine(), {kAddFloat, 1201}), Cycles(11 + 6 * (29 + 3 * 101)));
  EXPECT_EQ(binaryOpCycles(toyMachine(), {kAddFloat, 0}), Cycles(11 + 6 * 29));
}

TEST(BinaryOpCycles, TakesIntegersOneByOne) {
  EXPECT_EQ(binaryOpCycles(toyMachine(), {{BinaryOp::Multiply, ElementType::Int32}, 12}),
            Cycles(11 + 6 * (26 + 14)));
}

TEST(BinaryOpCycles, OfWideIntegersDependOnTheirSign) {
  const BinaryOpKind by{BinaryOp::Divide, DataType::Name::LongLong, OpPlacement::InPlace};
  const BinaryOpKind by_unsigned{BinaryOp::Divide, DataType::Name::UnsignedLongLong,
                                 OpPlacement::InPlace};
  EXPECT_EQ(binaryOp2dCycles(toyMachine(), {by, {2}}), Cycles(20 + 260));
  EXPECT_EQ(binaryOp2dCycles(toyMachine(), {by_unsigned, {2}}), Cycles(20 + 226));
}

TEST(BinaryOpCycles, KnowsOnlyPublishedPairs) {
  EXPECT_THROW(binaryOpCycles(toyMachine(), {{BinaryOp::Atan2, ElementType::Int32}, 12}),
               InternalError);
  EXPECT_THROW(binaryOpCycles(toyMachine(), {{BinaryOp::Equal, DataType::Name::Quarter}, 12}),
               InternalError);
  EXPECT_THROW(binaryOpCycles(toyMachine(), {{BinaryOp::Add, ElementType::Bool}, 12}),
               InternalError);
  EXPECT_THROW(binaryOpCycles(toyMachine(),
                              {{BinaryOp::Equal, ElementType::Float, OpPlacement::InPlace}, 12}),
               InternalError);
}

TEST(BinaryOp2dCycles, AddsItsRegionsUp) {
  EXPECT_EQ(binaryOp2dCycles(toyMachine(), {kAddFloat, {10, 11}}), Cycles(5 + 15 + 18));
  EXPECT_EQ(binaryOp2dCycles(toyMachine(), {kAddFloatInPlace, {10, 11}}), Cycles(20 + 15 + 18));
}

}  // namespace
}  // namespace ipusim::models
