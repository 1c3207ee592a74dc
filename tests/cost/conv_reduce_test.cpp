// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/conv_reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr ElementType kHalf = ElementType::Half;
constexpr ElementType kFloat = ElementType::Float;

TEST(ReduceAddCycles, GiveEachWorkerRoundsOfFourFloats) {
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kFloat, kFloat, 24, 4}), 6 * Cycles(32 + 3 * 4 + 7));
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kFloat, kHalf, 24, 4}), 6 * Cycles(32 + 3 * 4 + 6));
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kHalf, kHalf, 48, 4}), 6 * Cycles(32 + 3 * 4 + 8));
}

TEST(ReduceAddCycles, ChargeARaggedLastRoundLess) {
  // 3 outputs: a pair and one.
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kFloat, kFloat, 3, 4}), 6 * Cycles(32 + 2 * 4 + 13));
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kHalf, kHalf, 3, 4}), 6 * Cycles(32 + 2 * 4 + 11));
  // 28 outputs are 7 whole rounds: one worker makes two.
  EXPECT_EQ(reduceAddCycles(toyMachine(), {kFloat, kFloat, 28, 4}),
            6 * Cycles(32 + 2 * (3 * 4 + 7)));
}

TEST(ReduceAddCycles, LoadTwiceAsFastFromOneInterleavedArray) {
  ReduceAddShape shape{kFloat, kFloat, 1200, 3, ReduceInputs::Single};
  EXPECT_EQ(reduceAddCycles(toyMachine(), shape), Cycles(6 * (20 + (2 * 3 + 8) * 50) + 33));
  shape.memory = PartialsMemory::Interleaved;
  EXPECT_EQ(reduceAddCycles(toyMachine(), shape), Cycles(6 * (20 + (3 + 8) * 50) + 33));
}

TEST(ReduceAddFor, TakesOneArrayWhileTheExchangeIsSmall) {
  // 638,976 / 16 = 39,936 B: two elements of 16 KiB fit, three do not.
  const ReduceAddShape small = reduceAddFor(gc200Sdk(), {kFloat, kFloat, 4096, 3});
  EXPECT_EQ(small.inputs, ReduceInputs::Single);
  EXPECT_EQ(small.count, 2U);
  EXPECT_EQ(reduceAddFor(gc200Sdk(), {kFloat, kFloat, 4100, 3}).inputs, ReduceInputs::Several);
}

TEST(ReduceAddFor, NeedsOutputsThatFillTheAccumulators) {
  EXPECT_EQ(reduceAddFor(gc200Sdk(), {kFloat, kFloat, 6, 3}).inputs, ReduceInputs::Several);
  EXPECT_EQ(reduceAddFor(gc200Sdk(), {kHalf, kHalf, 12, 3}).inputs, ReduceInputs::Several);
}

TEST(ReductionDepths, HaveTwoStagesFromSixteenTilesAndThreeFrom125) {
  EXPECT_EQ(reductionStageCount(15), 1U);
  EXPECT_EQ(reductionStageCount(16), 2U);
  EXPECT_EQ(reductionStageCount(124), 2U);
  EXPECT_EQ(reductionStageCount(125), 3U);
}

TEST(ReductionDepths, MakeTheFewestMessages) {
  // 47: six leaves 47/6 + 6 = 13.8, seven 47/7 + 7 = 13.7.
  EXPECT_THAT(reductionDepths(47).depth, testing::ElementsAre(47, 7, 0));
  EXPECT_THAT(reductionDepths(15).depth, testing::ElementsAre(15, 0, 0));
}

TEST(ReductionStages, PassDownThroughTheDepths) {
  const ReductionStages stages = reductionStages(1530, reductionDepths(17));  // through 4
  ASSERT_EQ(stages.count, 2U);
  EXPECT_EQ(stages.stage[0].fan_in, 5U);
  EXPECT_EQ(stages.stage[0].outputs, 306U);
  EXPECT_EQ(stages.stage[1].fan_in, 4U);
  EXPECT_EQ(stages.stage[1].outputs, 77U);
}

TEST(ConvReductionCycles, CostACastWhereNothingIsAddedUp) {
  // 120 elements: 20 per worker, in pairs as the float side allows.
  EXPECT_EQ(convReductionCycles(toyMachine(), {kFloat, kHalf, 120, 1}, reductionDepths(1)),
            6 * Cycles(26 + 10));
  EXPECT_EQ(convReductionCycles(toyMachine(), {kFloat, kFloat, 120, 1}, reductionDepths(1)),
            0_cycles);
}

TEST(ConvReductionCycles, CastInTheLastStageOnly) {
  const ReductionDepths depths = reductionDepths(17);
  const Cycles first = reduceAddCycles(gc200Sdk(), {kFloat, kFloat, 306, 5});
  const Cycles last = reduceAddCycles(gc200Sdk(), {kFloat, kHalf, 77, 4});
  EXPECT_EQ(convReductionCycles(gc200Sdk(), {kFloat, kHalf, 90, 17}, depths), first + last);
}

}  // namespace
}  // namespace ipusim::models
