// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "models/ipu/cost/conv_nx1.h"
#include "models/ipu/cost/zero.h"
#include "tests/planner/float_amp.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/matmul/plan_estimate.h"
#include "workloads/ops/matmul/plan_vertex.h"

// Vertices that need a kernel of several rows, and several conv groups, around a product.

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

/// AMP on floats with `in_chans` in channels per group.
PlanCandidate floatNx1(std::uint32_t conv_units, std::uint32_t in_chans) {
  PlanCandidate candidate = floatAmp({1, 24, in_chans, conv_units}, conv_units);
  candidate.method.kind = MatmulMethod::AmpNx1;
  candidate.method.in_chans_per_group = in_chans;
  return candidate;
}

/// A window over `groups` groups side by side, on halves with all chains.
PlanCandidate slic(const ConvSizes& conv, std::uint32_t groups, std::uint32_t chans) {
  PlanCandidate candidate;
  candidate.input = candidate.output = ElementType::Half;
  candidate.conv = conv;
  candidate.method = {MatmulMethod::Slic, 0, 0, chans, chans, ElementType::Half, groups, 4};
  return candidate;
}

PlanTerms termsOf(const PlanCandidate& candidate, const MatmulPartition& partition = {}) {
  return planTerms(toyMachine(), candidate, {partition, InputBroadcast::EachStep},
                   models::reductionDepths(partition.in_chans));
}

Bytes tempOf(const PlanCandidate& candidate) {
  return planTempBytes(toyMachine(), candidate, PlanPoint{});
}

TEST(KernelZeros, FillTheRowsThatAmpTakesAtOnce) {
  // Four rows of two in channels: three of zeros, 24 positions each and 16 out channels.
  EXPECT_EQ(termsOf(floatNx1(16, 2)).tile_level_transform, Cycles(3 * (24 * 2) + 3 * (2 * 16)));
  EXPECT_EQ(termsOf(floatAmp({1, 24, 8, 16}, 16)).tile_level_transform, 0_cycles);
}

TEST(KernelZeros, AreThoseOfHalfTheRowsForHalfTheEngines) {
  EXPECT_EQ(termsOf(floatNx1(8, 2)).tile_level_transform, Cycles(24 * 2 + 2 * 8));
  EXPECT_EQ(termsOf(floatNx1(8, 4)).tile_level_transform, 0_cycles);
  // Eight engines are all there are for half inputs and float partials.
  PlanCandidate all = floatNx1(8, 8);
  all.input = ElementType::Half;
  EXPECT_EQ(termsOf(all).tile_level_transform, Cycles((24 * 8 + 8 * 8) / 2));
}

TEST(KernelZeros, FillAWindow) {
  // Three more positions of four channels, and three more kernels of four times four.
  EXPECT_EQ(termsOf(slic({1, 20, 4, 4}, 1, 4)).tile_level_transform, Cycles((3 * 4 + 3 * 16) / 2));
  EXPECT_EQ(termsOf(slic({5, 20, 2, 2}, 2, 2)).tile_level_transform,
            Cycles(6 * (3 * 2 + 3 * 4) / 2));  // five groups are three pairs
}

TEST(KernelZeros, ReachTheTilesOfABusAtOnce) {
  MatmulPartition halves;
  halves.out_chans = 2;
  EXPECT_EQ(termsOf(slic({1, 20, 4, 8}, 1, 4), halves).tile_level_transform,
            Cycles(3 * 4 / 4 + 3 * 16 / 2));
}

TEST(KernelZeros, AreHeldWithTheOperands) {
  const Bytes operands = 4_B * (24 * 2 + 2 * 8 + 24 * 8);
  EXPECT_EQ(tempOf(floatNx1(8, 2)), operands + 4_B * (24 * 2 + 2 * 8));
}

TEST(KernelZeros, AreInEveryStep) {
  PlanTerms terms;
  terms.tile_level_transform = 5_cycles;
  EXPECT_EQ(terms.total(3), 15_cycles);
}

TEST(SlicTempBytes, HoldAnotherResultOfAGroup) {
  const Bytes operands = 2_B * (20 * 4 + 4 * 4 + 20 * 4);
  const Bytes zeros = 2_B * (3 * 4 + 3 * 16);
  EXPECT_EQ(tempOf(slic({1, 20, 4, 4}, 1, 4)), operands + zeros + 2_B * (20 * 4) + 200_B);
  // A result of two pairs of groups is as large as of one.
  EXPECT_EQ(tempOf(slic({4, 20, 2, 2}, 2, 2)),
            (2_B * 2 * 2) * (20 * 2 + 2 * 2 + 20 * 2 + 3 * 2 + 3 * 4) + 2_B * (2 * 20 * 2) + 200_B);
}

TEST(PartialCalc, TakesTheKernelOfAmpFromItsInChannels) {
  // 24 positions: 4 per worker.
  const models::WorkerRows rows(6, {4});
  const models::ConvNx1Shape shape{
      {ElementType::Float, ElementType::Float, 16}, 4, 1, 1, 1, 1, 1, 16};
  EXPECT_EQ(termsOf(floatNx1(16, 2)).partial_calc,
            convNx1Cycles(toyMachine(), shape, rows) +
                models::zeroPartialsCycles(toyMachine(), {ElementType::Float, 24 * 16, 1}));
}

TEST(PartialCalc, OfPublishedPlans) {
  // Rows of the published planner: one position, 4 x 4 halves; two positions, 2 in and 2 x 16 out
  // channels of floats.
  EXPECT_EQ(termsOf(slic({1, 1, 4, 4}, 1, 4)).partial_calc, 345_cycles);
  PlanCandidate nx1 = floatNx1(16, 2);
  nx1.conv = {1, 2, 2, 32};
  EXPECT_EQ(termsOf(nx1).partial_calc, 1247_cycles);
}

class PartialCalcFloor : public testing::TestWithParam<MatmulMethod> {};

TEST_P(PartialCalcFloor, NeverExceedsTheCyclesOfALargerField) {
  MatmulProblem problem;
  problem.groups = 16;
  problem.k = 4;
  problem.input = problem.output = problem.partials = ElementType::Half;
  problem.methods = MethodSet::only(GetParam());
  for (const PlanCandidate& candidate : planCandidates(toyMachine(), problem)) {
    TileShare share{1, 1, 1, 1, 1, 1, 1, 1};
    Cycles least = Cycles(std::numeric_limits<std::uint64_t>::max());
    for (share.field = 80; share.field > 0; --share.field) {
      least = std::min(least, partialCalcCycles(toyMachine(), candidate, share));
      EXPECT_LE(partialCalcFloor(toyMachine(), candidate, share), least) << share.field;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Published, PartialCalcFloor,
                         testing::Values(MatmulMethod::AmpNx1, MatmulMethod::Slic,
                                         MatmulMethod::Vmac));

TEST(CombinedGroups, MoveOperandsAndResult) {
  PlanCandidate candidate = floatAmp({2, 24, 8, 8}, 8);
  EXPECT_EQ(termsOf(candidate).transform_exchange, 0_cycles);
  candidate.combined_groups = 8;
  EXPECT_EQ(termsOf(candidate).transform_exchange, Cycles(2 * (24 * 8 + 8 * 8 + 24 * 8)));
}

}  // namespace
}  // namespace ipusim::workloads
