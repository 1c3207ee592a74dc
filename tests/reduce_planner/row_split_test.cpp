// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/row_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::ReduceOp;
using models::toyMachine;
using testing::Each;
using testing::ElementsAre;

constexpr models::ReduceKind kAddFloats{ReduceOp::Add, ElementType::Float, ElementType::Float};
constexpr models::ReduceKind kMaxHalves{ReduceOp::Maximum, ElementType::Half, ElementType::Half};

std::vector<std::uint64_t> split(const std::vector<RowsToSplit>& sizes, std::uint64_t workers) {
  return splitRows(toyMachine(), kAddFloats, sizes, workers);
}

TEST(ElementsPerCycle, AreTheGrainWhereColumnsFitIt) {
  EXPECT_EQ(elementsPerCycle(toyMachine(), kAddFloats, 8), 4U);
  EXPECT_EQ(elementsPerCycle(toyMachine(), kAddFloats, 2), 4U);
  EXPECT_EQ(elementsPerCycle(toyMachine(), kAddFloats, 1), 4U);
  EXPECT_EQ(elementsPerCycle(toyMachine(), kMaxHalves, 12), 4U);
}

TEST(ElementsPerCycle, AreAPowerOfTwoOfOtherColumns) {
  EXPECT_EQ(elementsPerCycle(toyMachine(), kAddFloats, 6), 2U);
  EXPECT_EQ(elementsPerCycle(toyMachine(), kAddFloats, 7), 1U);
}

TEST(PieceCycles, AreMoreBesidesTheElementsOfASplitReduction) {
  EXPECT_EQ(pieceCycles(toyMachine(), kAddFloats, {1, 402}, 1), 30U + 101U);
  EXPECT_EQ(pieceCycles(toyMachine(), kAddFloats, {1, 402}, 2), 60U + 50U);
}

TEST(SplitRows, GivesTheSlowestReductionTheFreeWorkers) {
  EXPECT_THAT(split({{1, 4000}}, 6), ElementsAre(6U));
  EXPECT_THAT(split({{1, 4000}, {1, 400}}, 6), ElementsAre(5U, 1U));
}

TEST(SplitRows, LeavesWholeWhatDoesNotGetFaster) {
  // 30 + 60 cycles for one piece, 60 + 30 for two.
  EXPECT_THAT(split({{1, 240}}, 6), ElementsAre(1U));
  EXPECT_THAT(split({{1, 248}}, 6), ElementsAre(6U));
  // 14 pieces have floor(100 / 14) = 7 cycles of reducing, as 13 have.
  EXPECT_THAT(split({{4, 100}}, 100), ElementsAre(13U));
  // The second reduction stays as slow as the first was.
  EXPECT_THAT(split({{1, 4000}, {1, 4000}}, 3), ElementsAre(1U, 1U));
}

TEST(SplitRows, LeavesTwoRowsToAPiece) {
  EXPECT_THAT(split({{1000, 3}}, 6), ElementsAre(1U));
  EXPECT_THAT(split({{1000, 4}}, 6), ElementsAre(2U));
}

TEST(ShareAmongWorkers, DealsEqualCostsInConsecutiveBlocks) {
  const std::vector<std::uint64_t> free(3, 0);
  EXPECT_THAT(shareAmongWorkers({50, 52, 48, 50, 50}, free), ElementsAre(0U, 1U, 1U, 2U, 2U));
  // A worker that has something already is left out.
  EXPECT_THAT(shareAmongWorkers({50, 50}, {9, 0, 0}), ElementsAre(1U, 2U));
}

TEST(ShareAmongWorkers, DealsOtherCostsFromTheCheapestToTheWorkerWithLeast) {
  EXPECT_THAT(shareAmongWorkers({100, 10, 20, 40}, {0, 0}), ElementsAre(1U, 0U, 1U, 0U));
  EXPECT_THAT(shareAmongWorkers({50, 50}, {90, 10}), Each(1U));
}

TEST(ShareAmongWorkers, TakesCostsWithinEightOrATenthAsEqual) {
  const std::vector<std::uint64_t> free(2, 0);
  EXPECT_THAT(shareAmongWorkers({46, 30}, free), ElementsAre(0U, 1U));
  EXPECT_THAT(shareAmongWorkers({48, 30}, free), ElementsAre(1U, 0U));
  EXPECT_THAT(shareAmongWorkers({1100, 900}, free), ElementsAre(0U, 1U));
  EXPECT_THAT(shareAmongWorkers({1101, 899}, free), ElementsAre(1U, 0U));
}

}  // namespace
}  // namespace ipusim::workloads
