// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/reductions/reduce.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr ReduceKind kSum{ReduceOp::Add, ElementType::Half, ElementType::Float};

TEST(StridedReduceCycles, GoDownAColumnOfVectors) {
  // 8 outputs are 2 vectors; 3 + (1 + 6) + (3 + 9).
  EXPECT_EQ(stridedReduceCycles(toyMachine(), {kSum, 10, 8, 8}), Cycles(16 + 2 * (3 + 7 + 12)));
}

TEST(StridedReduceCycles, TakeNarrowColumnsWhereRowsAreNotWholeVectors) {
  EXPECT_EQ(stridedReduceCycles(toyMachine(), {kSum, 10, 8, 10}), Cycles(16 + 4 * (3 + 7 + 12)));
}

TEST(StridedReduceCycles, OfSquaresOfHalvesFindNoEntryForTheEnd) {
  const ReduceKind squares{ReduceOp::SquareAdd, ElementType::Half, ElementType::Float};
  EXPECT_EQ(stridedReduceCycles(toyMachine(), {squares, 10, 8, 8}), Cycles(16 + 2 * (3 + 1 + 12)));
}

TEST(ReduceCycles, OfLogarithmsTakeManySlotsAnElement) {
  const ReduceKind logs{ReduceOp::LogAdd, ElementType::Half, ElementType::Float,
                        ReduceInto::Update};
  EXPECT_EQ(stridedReduceCycles(toyMachine(), {logs, 10, 4, 4}), Cycles(16 + 3 + 57 + 3 + 13 * 9));
  EXPECT_EQ(continuousReduceCycles(toyMachine(), {logs, 17, 4}),
            Cycles(17 + 1 + 3 * (20 * 17 + 12) + 2));
  // Two regions, runs of 5, 10 and 3; the result is cast.
  EXPECT_EQ(reduceCycles(toyMachine(), logs, {{5, {5, 10}}, {3, {3}}}),
            Cycles(31 + 16 + 3 * 22 + 37 * 18));
  EXPECT_THROW(singleReduceCycles(toyMachine(), {logs, 17, 1}), InternalError);
}

TEST(ContinuousReduceCycles, ChargeOneRowLessAsPublished) {
  EXPECT_EQ(continuousReduceCycles(toyMachine(), {kSum, 17, 4}), Cycles(17 + 3 * (4 + 12) + 2));
}

TEST(SingleReduceCycles, LoadTwoVectorsForTheAccumulators) {
  // 19 halves: floor(38 / 8) loads and 3 left over.
  EXPECT_EQ(singleReduceCycles(toyMachine(), {kSum, 19, 1}), Cycles(17 + 4 + 3));
}

TEST(ReduceCycles, FollowTheirFormula) {
  const ReduceKind maximum{ReduceOp::Maximum, ElementType::Half, ElementType::Half};
  // 5 outputs from runs of 5 and 10: one vector and one element.
  const Cycles start(33 + 24 + 4 + (4 + 8 + 20) + (2 + 2 + 20));
  const Cycles runs(3 * (2 + 1 + 3) + 3 * (5 + 1));
  EXPECT_EQ(reduceCycles(toyMachine(), maximum, {{5, {5, 10}}}), start + runs);
}

}  // namespace
}  // namespace ipusim::models
