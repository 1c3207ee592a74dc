// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/broadcast.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr BinaryOpKind kAddHalf{BinaryOp::Add, ElementType::Half};

TEST(BroadcastScalarCycles, LoadAVectorAndStoreIt) {
  // A worker has ceil(100 / 6) = 17 halves, 5 vectors.
  EXPECT_EQ(broadcastScalarCycles(toyMachine(), {kAddHalf, 100}), Cycles(11 + 6 * (20 + 10)));
}

TEST(BroadcastScalarCycles, ReadAScalarForEveryRunOrOneForAll) {
  EXPECT_EQ(broadcastScalar2dCycles(toyMachine(), {kAddHalf, BroadcastScalars::One, {4, 5}}),
            Cycles(20 + 28 + 2 + 28 + 4));
  EXPECT_EQ(broadcastScalar2dCycles(toyMachine(), {kAddHalf, BroadcastScalars::PerRun, {4, 5}}),
            Cycles(20 + 28 + 5 + 28 + 10));
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
  // One block: 8 + 3 + 7 * 16 / 8; a vector of 10 takes 13 + 10 * 14.
  const Cycles call(13 + 24);
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {kAddHalf, 16, 1, 6}), call + Cycles(6 * (19 + 25)));
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {kAddHalf, 10, 1, 6}),
            call + Cycles(6 * (19 + 153)));
}

TEST(BroadcastInnerCycles, OfFloatFollowTheirFormula) {
  const BinaryOpKind add{BinaryOp::Add, ElementType::Float, OpPlacement::InPlace};
  // Two slices of 3, two blocks each: 17 + 2 (17 + 2 + 5 + 3 * 12).
  EXPECT_EQ(broadcastInnerCycles(toyMachine(), {add, 3, 2, 12}),
            Cycles(13 + 12 + 6 * (17 + 2 * (17 + 7 + 36))));
}

}  // namespace
}  // namespace ipusim::models
