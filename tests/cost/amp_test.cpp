// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/amp.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr AmpEngine kHalf16{ElementType::Half, ElementType::Half, 16};
constexpr AmpEngine kFloat16{ElementType::Float, ElementType::Float, 16};
constexpr AmpEngine kHalfToFloat8{ElementType::Half, ElementType::Float, 8};

/// One out group of 16 channels.
Cycles ampCycles(const AmpEngine& engine, std::uint64_t field, std::uint64_t in_groups) {
  return amp1x1Cycles(toyMachine(), {engine, field, 1, in_groups, 1, 16});
}

TEST(Amp1x1Cycles, FollowsItsFormulaForHalf) {
  // 16 positions per worker: 37 + 4*13 - 7 turns clearing, 38 + 4*13 - 7 not, six workers, and 14.
  const std::uint64_t clear = 6 * 82 + 14;
  const std::uint64_t add = 6 * 83 + 14;
  const std::uint64_t later = 3 * (15 + 19 + 6 + 64 + add);
  const std::uint64_t first = 11 + 18 + 7 + 64 + clear;
  EXPECT_EQ(ampCycles(kHalf16, 96, 4), Cycles(50 + 6 * (7 + 3 * 3) + 13 + later + first));
}

TEST(Amp1x1Cycles, FollowsItsFormulaForFloat) {
  // 16 positions per worker: 46 + 8*13 turns, and 2 + 8*16 to clear; nothing is kept between calls.
  const std::uint64_t clear = 6 * (150 + 130) + 14;
  const std::uint64_t add = 6 * 150 + 14;
  const std::uint64_t later = 7 * (15 + 19 + 6 + 64 + add);
  const std::uint64_t first = 11 + 18 + 7 + 64 + clear;
  EXPECT_EQ(ampCycles(kFloat16, 96, 8), Cycles(50 + 13 + later + first));
}

TEST(Amp1x1Cycles, PassesOverTheChannelsThatDoNotFitTheEngines) {
  // Like half, but 8 engines take two passes, each with half the weights to load.
  const Cycles later = 3 * Cycles(15 + 19 + 2 * (6 + 32 + 512));
  const Cycles first(11 + 18 + 2 * (7 + 32 + 506));
  EXPECT_EQ(ampCycles(kHalfToFloat8, 96, 4), Cycles(50 + 6 * (7 + 3 * 3) + 13) + later + first);
}

TEST(Amp1x1Cycles, LoadsWeightsTwiceAsFastFromInterleavedMemory) {
  AmpEngine wide = kHalf16;
  wide.weight_load = WeightLoad::Bits128;
  EXPECT_EQ(ampWeightLoadCycles(toyMachine(), kHalf16), 64_cycles);
  EXPECT_EQ(ampWeightLoadCycles(toyMachine(), wide), 32_cycles);
  EXPECT_EQ(ampCycles(kHalf16, 96, 4).value() - ampCycles(wide, 96, 4).value(), 4U * 32U);
}

TEST(Amp1x1Cycles, MovesTowardsSixtyFourHalfProductsACycle) {
  EXPECT_EQ(ampCycles(kHalf16, 960, 4), 16437_cycles);  // 983,040 products: 93 % of the peak
  EXPECT_EQ(ampCycles(kHalf16, 6, 4), 1245_cycles);     // 6,144: loading weights is what counts
}

TEST(Amp1x1Cycles, ChargesIdleWorkersButTheirPlanDoesNot) {
  // One position: five workers take 21 - 7 turns, one takes 32 - 7. Idle workers take none in the
  // plan.
  const Amp1x1Shape shape{kHalf16, 1, 1, 1, 1, 16};
  EXPECT_EQ(amp1x1Cycles(toyMachine(), shape), Cycles(50 + 42 + 13 + 11 + 18 + 7 + 64 + 150));
  EXPECT_EQ(amp1x1PlanCycles(toyMachine(), shape), amp1x1Cycles(toyMachine(), shape));
  const Amp1x1Shape even{kHalf16, 6, 1, 1, 1, 16};
  EXPECT_EQ(amp1x1Cycles(toyMachine(), even), Cycles(50 + 42 + 13 + 11 + 18 + 7 + 64 + 164));
}

TEST(AmpWeights, FillThePipelineOfAnEngine) {
  EXPECT_EQ(ampWeightsPerUnit(toyMachine(), ElementType::Half), 16U);
  EXPECT_EQ(ampWeightsPerUnit(toyMachine(), ElementType::Float), 8U);
}

}  // namespace
}  // namespace ipusim::models
