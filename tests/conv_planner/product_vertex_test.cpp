// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/movement/zero.h"
#include "models/ipu/cost/products/conv_nx1.h"
#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/vertices/vertex_floors.h"

// Vertices that need a kernel of several rows, and several conv groups, around a product.

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

/// AMP on floats with `in_chans` in channels per group.
ConvCandidate floatNx1(const FactorSizes& sizes, std::uint32_t conv_units, std::uint32_t in_chans) {
  return onProduct(sizes, ElementType::Float,
                   {ConvMethod::Amp, conv_units, 0, 1, in_chans, conv_units, ElementType::Float});
}
/// On one group of channels.
ConvCandidate floatNx1(std::uint32_t conv_units, std::uint32_t in_chans) {
  return floatNx1({1, 24, in_chans, conv_units}, conv_units, in_chans);
}

/// A window over `groups` groups side by side, on halves with all chains.
ConvCandidate windowOver(const FactorSizes& sizes, std::uint32_t groups, std::uint32_t chans) {
  return onProduct(sizes, ElementType::Half,
                   {ConvMethod::Slic, 0, 4, groups, chans, chans, ElementType::Half});
}

ConvTerms termsIn(const ConvCandidate& candidate, const ConvPartition& partition = {}) {
  return convTerms(toyMachine(), candidate, {partition});
}

TEST(ProductZeros, FillTheRowsThatAmpTakesAtOnce) {
  // Four rows of two in channels: three of zeros, 24 positions each and 16 out channels.
  EXPECT_EQ(termsIn(floatNx1(16, 2)).tile_level_transform, Cycles(3 * (24 * 2) + 3 * (2 * 16)));
  EXPECT_EQ(termsIn(floatAmp({1, 24, 8, 16}, 16)).tile_level_transform, 0_cycles);
}

TEST(ProductZeros, AreThoseOfHalfTheRowsForHalfTheEngines) {
  EXPECT_EQ(termsIn(floatNx1(8, 2)).tile_level_transform, Cycles(24 * 2 + 2 * 8));
  EXPECT_EQ(termsIn(floatNx1(8, 4)).tile_level_transform, 0_cycles);
  // Eight engines are all there are for half inputs and float partials.
  ConvCandidate all = floatNx1(8, 8);
  all.input = ElementType::Half;
  EXPECT_EQ(termsIn(all).tile_level_transform, Cycles((24 * 8 + 8 * 8) / 2));
}

TEST(ProductZeros, FillAWindow) {
  // Three more positions of four channels, and three more kernels of four times four.
  EXPECT_EQ(termsIn(windowOver({1, 20, 4, 4}, 1, 4)).tile_level_transform,
            Cycles((3 * 4 + 3 * 16) / 2));
  EXPECT_EQ(termsIn(windowOver({5, 20, 2, 2}, 2, 2)).tile_level_transform,
            Cycles(6 * (3 * 2 + 3 * 4) / 2));  // five groups are three pairs
}

TEST(ProductZeros, ReachTheTilesOfABusAtOnce) {
  ConvPartition halves;
  halves.out_chans = 2;
  EXPECT_EQ(termsIn(windowOver({1, 20, 4, 8}, 1, 4), halves).tile_level_transform,
            Cycles(3 * 4 / 4 + 3 * 16 / 2));
}

TEST(ProductZeros, AreHeldWithTheOperands) {
  const Bytes operands = 4_B * (24 * 2 + 2 * 8 + 24 * 8);
  EXPECT_EQ(termsIn(floatNx1(8, 2)).temp(), operands + 4_B * (24 * 2 + 2 * 8));
}

TEST(ProductZeros, AreInEveryStep) {
  ConvTerms terms;
  terms.tile_level_transform = 5_cycles;
  EXPECT_EQ(terms.total(3), 15_cycles);
}

TEST(SlicTempBytes, HoldAnotherResultOfAGroup) {
  const Bytes operands = 2_B * (20 * 4 + 4 * 4 + 20 * 4);
  const Bytes zeros = 2_B * (3 * 4 + 3 * 16);
  EXPECT_EQ(termsIn(windowOver({1, 20, 4, 4}, 1, 4)).temp(),
            operands + zeros + 2_B * 20 * 4 + 200_B);
  // A result of two pairs of groups is as large as of one.
  EXPECT_EQ(termsIn(windowOver({4, 20, 2, 2}, 2, 2)).temp(),
            (2_B * 2 * 2) * (20 * 2 + 2 * 2 + 20 * 2 + 3 * 2 + 3 * 4) + 2_B * 2 * 20 * 2 + 200_B);
}

TEST(PartialCalc, TakesTheKernelOfAmpFromItsInChannels) {
  // 24 positions: 4 per worker.
  const models::WorkerRows rows(6, {4});
  const models::ConvNx1Shape shape{
      {ElementType::Float, ElementType::Float, 16}, 4, 1, 1, 1, 1, 1, 16};
  EXPECT_EQ(termsIn(floatNx1(16, 2)).partial_calc,
            convNx1Cycles(toyMachine(), shape, rows) +
                models::zeroPartialsCycles(toyMachine(), {ElementType::Float, 24UL * 16, 1}));
}

TEST(PartialCalc, OfPublishedPlans) {
  // Rows of the published planner: one position, 4 x 4 halves; two positions, 2 in and 2 x 16 out
  // channels of floats.
  EXPECT_EQ(termsIn(windowOver({1, 1, 4, 4}, 1, 4)).partial_calc, 345_cycles);
  EXPECT_EQ(termsIn(floatNx1({1, 2, 2, 32}, 16, 2)).partial_calc, 1247_cycles);
}

class PartialCalcFloors : public testing::TestWithParam<ConvMethod> {};

TEST_P(PartialCalcFloors, NeverExceedTheCyclesOfAField) {
  MatmulProblem problem = productIn(ConvPass::NoneMatmul, 1, 4, 1);
  problem.groups = 16;
  problem.input = problem.output = problem.partials = ElementType::Half;
  problem.method = GetParam();
  for (const ConvCandidate& candidate : everyCandidate(toyMachine(), convOf(problem))) {
    const std::uint64_t slots = unitSlotsPerPosition(toyMachine(), candidate);
    ConvShare share{{1, 1, 1}, {1, 1, 1}, 1, 1, 1, 1, 1, 1, 1, 1};
    for (std::uint64_t field = 80; field > 0; --field) {
      share.field[1] = field;
      const PositionSlots own = positionSlots(toyMachine(), candidate, share);
      const Cycles cycles = partialCalcCycles(toyMachine(), candidate, share, own);
      EXPECT_LE(Cycles(unitCycles(toyMachine(), candidate, share, own)), cycles) << field;
      EXPECT_LE(Cycles(slots * field), cycles) << field;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Published, PartialCalcFloors,
                         testing::Values(ConvMethod::Amp, ConvMethod::Hmac, ConvMethod::Slic,
                                         ConvMethod::Vmac, ConvMethod::OuterProduct));

TEST(CombinedGroups, MoveOperandsAndResult) {
  ConvCandidate candidate = floatAmp({2, 24, 8, 8}, 8);
  const auto exchanged = [&] {
    const ConvTerms terms = termsIn(candidate);
    return terms.inputs.exchange + terms.weights.exchange + terms.output.exchange;
  };
  EXPECT_EQ(exchanged(), 0_cycles);
  candidate.combined = true;
  EXPECT_EQ(exchanged(), 2_cycles * (24 * 8 + 8 * 8 + 24 * 8));
}

}  // namespace
}  // namespace ipusim::workloads
