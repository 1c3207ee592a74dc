// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/broadcast.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/broadcast_inner.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr BinaryOpKind kBroadcastAddHalf{BinaryOp::Add, ElementType::Half};

TEST(BroadcastScalarCycles, LoadAVectorAndStoreIt) {
  // A worker has ceil(100 / 6) = 17 halves, 5 vectors.
  EXPECT_EQ(broadcastScalarCycles(toyMachine(), {kBroadcastAddHalf, 100}),
            Cycles(11 + 6 * (20 + 10)));
}

TEST(BroadcastScalarCycles, ReadAScalarForEveryRunOrOneForAll) {
  EXPECT_EQ(
      broadcastScalar2dCycles(toyMachine(), {kBroadcastAddHalf, BroadcastScalars::One, {4, 5}}),
      Cycles(20 + 28 + 2 + 28 + 4));
  EXPECT_EQ(
      broadcastScalar2dCycles(toyMachine(), {kBroadcastAddHalf, BroadcastScalars::PerRun, {4, 5}}),
      Cycles(20 + 28 + 5 + 28 + 10));
}

TEST(BroadcastScalarCycles, OfIntegersHaveTheirOwnTable) {
  const BinaryOpKind divide{BinaryOp::Divide, ElementType::UInt32};
  EXPECT_EQ(broadcastScalarCycles(toyMachine(), {divide, 12}), Cycles(11 + 6 * (20 + 2 * 260)));
  // Only half and float load the scalar of a run again.
  const BinaryOpKind add{BinaryOp::Add, ElementType::Int32};
  EXPECT_EQ(broadcastScalar2dCycles(toyMachine(), {add, BroadcastScalars::PerRun, {4}}),
            Cycles(20 + 28 + 24));
}

TEST(BroadcastOuterCycles, ShareRowsOrColumns) {
  const BroadcastOuterShape rows{ElementType::Float, OuterSplit::ByRow, RowAlignment::Aligned, 12,
                                 8};
  EXPECT_EQ(broadcastOuterCycles(toyMachine(), rows), Cycles(11 + 6 * (15 + 2 * (7 + 9))));
  BroadcastOuterShape columns = rows;
  columns.split = OuterSplit::ByColumn;
  EXPECT_EQ(broadcastOuterCycles(toyMachine(), columns), Cycles(11 + 6 * (15 + 12 * (7 + 3))));
}

TEST(BroadcastInnerCycles, OfHalfAreQuickWhereTheVectorIsWhole) {
  const Cycles call(13 + 24);
  const auto cycles = [](std::uint64_t length, std::uint64_t repeats) {
    return broadcastInnerCycles(toyMachine(), {kBroadcastAddHalf, length, 1, repeats});
  };
  // One block of whole double vectors: 11 + 7 * 16 / 8; a vector of 10 takes 13 + 10 * 14.
  EXPECT_EQ(cycles(16, 6), call + Cycles(6 * (19 + 25)));
  EXPECT_EQ(cycles(10, 6), call + Cycles(6 * (19 + 153)));
  // Three blocks of 12: 15 + 3 (11 + 2 + 1); of 10: 15 + 10 * 32. None at all: 1.
  EXPECT_EQ(cycles(12, 18), call + Cycles(6 * (19 + 57)));
  EXPECT_EQ(cycles(10, 18), call + Cycles(6 * (19 + 335)));
  EXPECT_EQ(cycles(12, 0), call + Cycles(6 * (19 + 1)));
  // Out of reach.
  EXPECT_EQ(cycles(2056, 6), call + Cycles(6 * (19 + 9 + 2056 * 14)));
}

TEST(BroadcastInnerCycles, OfHalfProductsOverlapOutOfPlace) {
  BinaryOpKind times{BinaryOp::Multiply, ElementType::Half};
  const Cycles call(13 + 6 * 24);
  // Two vectors, three blocks: 13 + 2 (9 + 3); in place 9 + 2 (7 + 6).
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {times, 8, 1, 18}),
            call + Cycles(12 + 6 * (19 + 37)));
  times.placement = OpPlacement::InPlace;
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {times, 8, 1, 18}),
            call + Cycles(24 + 6 * (19 + 35)));
  EXPECT_EQ(broadcastInner2dCycles({times, {{8, 3}, {8, 1}}}), Cycles(7 + 13 + 37 + 13 + 31));
}

TEST(BroadcastInnerCycles, OfHalfQuotientsOfAnOddLength) {
  const BinaryOpKind by{BinaryOp::Divide, ElementType::Half};
  // Five elements: two pairs less one, i = 12 + 9, j = 24 + 10; three blocks: i + j, and i + 8.
  EXPECT_EQ(broadcastInner2dCycles({by, {{5, 3}}}), Cycles(10 + 15 + 10 + 55 + 29));
  EXPECT_EQ(broadcastInner2dCycles({by, {{1, 1}, {1, 2}}}), Cycles(10 + 15 + 24 + 15 + 28));
}

TEST(BroadcastInnerCycles, OfFloatFollowTheirFormula) {
  const BinaryOpKind add{BinaryOp::Add, ElementType::Float, OpPlacement::InPlace};
  // Two slices of 3, two blocks each: 17 + 2 (17 + 2 + 5 + 3 * 12).
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {add, 3, 2, 12}),
            Cycles(13 + 12 + 6 * (17 + 2 * (17 + 7 + 36))));
  const BinaryOpKind by{BinaryOp::Divide, ElementType::Float};
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {by, 4, 1, 12}),
            Cycles(14 + 4 + 6 * (19 + 10 + 2 * 17)));
}

TEST(BroadcastInnerCycles, KnowOnlyPublishedOperators) {
  EXPECT_THROW(
      broadcastInnerCycles(toyMachine(), {{BinaryOp::Maximum, ElementType::Half}, 8, 1, 6}),
      InternalError);
  EXPECT_THROW(broadcastInner2dCycles({{BinaryOp::Add, ElementType::Int32}, {{8, 1}}}),
               InternalError);
}

}  // namespace
}  // namespace ipusim::models
