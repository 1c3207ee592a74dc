// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_candidate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr ElementType kHalf = ElementType::Half;
constexpr ElementType kFloat = ElementType::Float;

MatmulProblem problemOf(ElementType input, ElementType partials, std::uint64_t k) {
  MatmulProblem problem;
  problem.m = 32;
  problem.k = k;
  problem.n = 64;
  problem.input = input;
  problem.output = input;
  problem.partials = partials;
  return problem;
}

/// Engines, in channels and out channels of a group.
using Grains = std::array<std::uint32_t, 3>;

std::vector<Grains> grainsOf(MatmulProblem problem, MatmulMethod method) {
  problem.methods = MethodSet::only(method);
  std::vector<Grains> grains;
  for (const PlanCandidate& candidate : planCandidates(toyMachine(), problem)) {
    const VertexMethod& vertex = candidate.method;
    if (candidate.order == OperandOrder::AsGiven) continue;
    grains.push_back(
        {vertex.conv_units, vertex.in_chans_per_group, vertex.partial_chans_per_group});
  }
  return grains;
}

TEST(PlanCandidates, TakeAllAmpEnginesOrEight) {
  EXPECT_THAT(grainsOf(problemOf(kFloat, kFloat, 64), MatmulMethod::Amp),
              ElementsAre(Grains{16, 8, 16}, Grains{8, 8, 8}));
  EXPECT_THAT(grainsOf(problemOf(kHalf, kHalf, 64), MatmulMethod::Amp),
              ElementsAre(Grains{16, 16, 16}, Grains{8, 16, 8}));
}

TEST(PlanCandidates, MayPassTwiceOverTheWeightsWithAllEngines) {
  EXPECT_THAT(grainsOf(problemOf(kHalf, kFloat, 64), MatmulMethod::Amp),
              ElementsAre(Grains{8, 16, 8}, Grains{8, 16, 16}));
}

TEST(PlanCandidates, PassOnceInInference) {
  MatmulProblem problem = problemOf(kHalf, kFloat, 64);
  problem.pass = MatmulPass::InferenceFwd;
  EXPECT_THAT(grainsOf(problem, MatmulMethod::Amp), ElementsAre(Grains{8, 16, 8}));
}

TEST(PlanCandidates, TryHalfPartialsWhereNothingIsAddedUp) {
  const auto grains = grainsOf(problemOf(kHalf, kFloat, 16), MatmulMethod::Amp);
  EXPECT_THAT(grains, Contains(Grains{16, 16, 16}));  // the engines of half partials
  EXPECT_THAT(grainsOf(problemOf(kHalf, kFloat, 17), MatmulMethod::Amp),
              Not(Contains(Grains{16, 16, 16})));
}

TEST(PlanCandidates, TakeTheFewestHmacChannelsForEachNumberOfGroups) {
  // 10 channels in 1, 2, 3, 4, 5 and 10 groups, sorted by padding: none for 10, 5, 2 and 1, then 4
  // and 3, which pad to 12.
  EXPECT_THAT(grainsOf(problemOf(kFloat, kFloat, 10), MatmulMethod::Hmac),
              ElementsAre(Grains{0, 1, 1}, Grains{0, 2, 1}, Grains{0, 5, 1}, Grains{0, 10, 1},
                          Grains{0, 3, 1}, Grains{0, 4, 1}));
}

TEST(PlanCandidates, PairHalfHmacChannels) {
  for (const Grains& grains : grainsOf(problemOf(kHalf, kHalf, 9), MatmulMethod::Hmac)) {
    EXPECT_EQ(grains[1] % 2, 0U);
    EXPECT_EQ(grains[2], 2U);
  }
}

TEST(PlanCandidates, TakeAnOuterProductWithPartialsOfItsInput) {
  EXPECT_THAT(grainsOf(problemOf(kHalf, kHalf, 64), MatmulMethod::OuterProduct),
              ElementsAre(Grains{0, 1, 4}));
  // Half partials are precise enough when nothing is summed.
  EXPECT_THAT(grainsOf(problemOf(kHalf, kFloat, 1), MatmulMethod::OuterProduct),
              ElementsAre(Grains{0, 1, 4}));
  EXPECT_THAT(grainsOf(problemOf(kHalf, kFloat, 2), MatmulMethod::OuterProduct), ElementsAre());
}

TEST(PlanCandidates, AreThoseThatCanBeLoweredUnlessAllAreAskedFor) {
  MatmulProblem problem = problemOf(kHalf, kHalf, 2);
  problem.groups = 8;
  for (const PlanCandidate& candidate : planCandidates(toyMachine(), problem)) {
    EXPECT_TRUE(MethodSet::lowered().has(candidate.method.kind));
    EXPECT_EQ(candidate.method.conv_groups_per_group, 1U);
    EXPECT_EQ(candidate.combined_groups, 1U);
  }
}

TEST(PlanCandidates, TakeFewerInChansWithAKernelOfSeveralRows) {
  EXPECT_THAT(
      grainsOf(problemOf(kHalf, kHalf, 64), MatmulMethod::AmpNx1),
      UnorderedElementsAre(Grains{16, 8, 16}, Grains{8, 8, 8}, Grains{16, 4, 16}, Grains{8, 4, 8}));
  EXPECT_THAT(
      grainsOf(problemOf(kFloat, kFloat, 64), MatmulMethod::AmpNx1),
      UnorderedElementsAre(Grains{16, 4, 16}, Grains{8, 4, 8}, Grains{16, 2, 16}, Grains{8, 2, 8}));
}

TEST(PlanCandidates, TryHalfPartialsWhereOneLoadOfWeightsHoldsAllInChans) {
  // 12 in channels are three groups of 4, which do not fill a load of 16. Two groups of 8 do.
  const auto grains = grainsOf(problemOf(kHalf, kFloat, 12), MatmulMethod::AmpNx1);
  EXPECT_THAT(grains, Contains(Grains{16, 8, 16}));
  EXPECT_THAT(grains, Not(Contains(Grains{16, 4, 16})));
}

/// Groups side by side, channels and chains.
std::vector<Grains> sideBySide(MatmulProblem problem, MatmulMethod method) {
  problem.methods = MethodSet::only(method);
  std::vector<Grains> grains;
  for (const PlanCandidate& candidate : planCandidates(toyMachine(), problem)) {
    const VertexMethod& vertex = candidate.method;
    EXPECT_EQ(vertex.in_chans_per_group, vertex.partial_chans_per_group);
    if (candidate.order == OperandOrder::AsGiven) continue;
    grains.push_back({vertex.conv_groups_per_group, vertex.in_chans_per_group, vertex.chains});
  }
  return grains;
}

TEST(PlanCandidates, SlideAWindowOverHalvesOutsideALayer) {
  const MatmulMethod slic = MatmulMethod::Slic;
  EXPECT_THAT(sideBySide(problemOf(kHalf, kFloat, 64), slic),
              UnorderedElementsAre(Grains{1, 4, 2}, Grains{2, 2, 2}, Grains{4, 1, 2}));
  EXPECT_THAT(
      sideBySide(problemOf(kHalf, kHalf, 64), slic),
      UnorderedElementsAre(Grains{1, 4, 4}, Grains{2, 2, 4}, Grains{4, 1, 4}, Grains{8, 1, 4},
                           Grains{16, 1, 4}, Grains{1, 4, 2}, Grains{2, 2, 2}, Grains{4, 1, 2},
                           Grains{8, 1, 2}, Grains{16, 1, 2}));
  EXPECT_THAT(sideBySide(problemOf(kFloat, kFloat, 64), slic), ElementsAre());
  MatmulProblem layer = problemOf(kHalf, kHalf, 64);
  layer.pass = MatmulPass::InferenceFwd;
  EXPECT_THAT(sideBySide(layer, slic), ElementsAre());
}

TEST(PlanCandidates, MultiplyHalvesOfSeveralGroupsSideBySide) {
  const MatmulMethod vmac = MatmulMethod::Vmac;
  EXPECT_THAT(sideBySide(problemOf(kHalf, kFloat, 64), vmac), ElementsAre(Grains{4, 1, 0}));
  EXPECT_THAT(sideBySide(problemOf(kHalf, kHalf, 64), vmac),
              ElementsAre(Grains{4, 1, 0}, Grains{8, 1, 0}, Grains{16, 1, 0}));
  EXPECT_THAT(sideBySide(problemOf(kFloat, kFloat, 64), vmac), ElementsAre());
}

TEST(PlanCandidates, TakeOneGroupATileWhereTheVertexHoldsOne) {
  PlanCandidate candidate;
  candidate.method.kind = MatmulMethod::Slic;
  EXPECT_FALSE(candidate.takesInGroups(2));
  EXPECT_FALSE(candidate.takesOutGroups(2));
  candidate.method.kind = MatmulMethod::Vmac;
  EXPECT_TRUE(candidate.takesInGroups(2));
  EXPECT_FALSE(candidate.takesOutGroups(2));
  candidate.method.kind = MatmulMethod::OuterProduct;
  EXPECT_FALSE(candidate.takesInGroups(2));
  EXPECT_TRUE(candidate.takesOutGroups(2));
}

/// How many groups are combined, in order, each with the size that swapped operands give.
std::vector<std::pair<std::uint32_t, std::uint64_t>> combinedInChans(MatmulProblem problem) {
  problem.methods = MethodSet::only(MatmulMethod::Amp);
  problem.combining = GroupCombining::Allowed;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;
  for (const PlanCandidate& candidate : planCandidates(toyMachine(), problem)) {
    if (candidate.order == OperandOrder::AsGiven) continue;
    const std::pair<std::uint32_t, std::uint64_t> count{candidate.combined_groups,
                                                        candidate.conv.in_chans};
    EXPECT_EQ(candidate.conv.out_chans, problem.m * count.first);
    EXPECT_EQ(candidate.conv.groups, ceilDiv<std::uint64_t>(problem.groups, count.first));
    EXPECT_EQ(candidate.mostInSteps(), 1U);
    if (counts.empty() || counts.back() != count) counts.push_back(count);
  }
  return counts;
}

TEST(PlanCandidates, CombineGroupsOfOneInChannelUntilALoadIsFull) {
  MatmulProblem problem = problemOf(kFloat, kFloat, 1);
  problem.groups = 13;
  EXPECT_THAT(combinedInChans(problem),
              ElementsAre(Pair(1, 1), Pair(2, 2), Pair(4, 4), Pair(8, 8)));
  problem.k = 2;
  EXPECT_THAT(combinedInChans(problem), ElementsAre(Pair(1, 2)));
  problem = problemOf(kHalf, kHalf, 2);
  problem.groups = 13;
  EXPECT_THAT(combinedInChans(problem),
              ElementsAre(Pair(1, 2), Pair(2, 4), Pair(4, 8), Pair(8, 16)));
  problem.groups = 1;
  EXPECT_THAT(combinedInChans(problem), ElementsAre(Pair(1, 2)));
}

TEST(PlanCandidates, TrySwappedOperandsFirst) {
  const auto candidates = planCandidates(toyMachine(), problemOf(kFloat, kFloat, 64));
  const auto as_given = [](const PlanCandidate& c) { return c.order == OperandOrder::AsGiven; };
  EXPECT_TRUE(std::is_partitioned(candidates.rbegin(), candidates.rend(), as_given));
  EXPECT_EQ(candidates.front().conv.out_chans, 32U);
  EXPECT_EQ(candidates.front().conv.field, 64U);
  EXPECT_EQ(candidates.back().conv.out_chans, 64U);
  EXPECT_EQ(candidates.back().conv.field, 32U);
}

TEST(PlanCandidates, KeepPairsOfHalfResultsInAWord) {
  MatmulProblem problem = problemOf(kHalf, kFloat, 32);
  problem.methods = MethodSet::only(MatmulMethod::Hmac);  // one out channel a group
  EXPECT_EQ(planCandidates(toyMachine(), problem).front().field_grain, 2U);
  problem.n = 63;
  EXPECT_EQ(planCandidates(toyMachine(), problem).front().field_grain, 1U);
}

TEST(JointCandidates, ShareGrainsBetweenThePasses) {
  MatmulProblem problem = problemOf(kFloat, kFloat, 64);
  problem.pass = MatmulPass::TrainingFwd;
  problem.methods = MethodSet::only(MatmulMethod::Amp);
  const auto candidates = jointCandidates(toyMachine(), problem);
  ASSERT_EQ(candidates.size(), 1U);  // 8 in channels do not fill 16 engines
  EXPECT_EQ(candidates.front().method.conv_units, 8U);
  EXPECT_EQ(candidates.front().field_grain, 8U);
  EXPECT_EQ(candidates.front().order, OperandOrder::Swapped);
}

TEST(JointCandidates, NeedAVertexForTheUpdateToo) {
  MatmulProblem problem = problemOf(kHalf, kFloat, 64);
  problem.pass = MatmulPass::TrainingFwd;
  problem.methods = MethodSet::only(MatmulMethod::Amp);
  const auto whole = jointCandidates(toyMachine(), problem);
  ASSERT_EQ(whole.size(), 1U);  // 8 out channels become 8 in channels, which are half a load
  EXPECT_EQ(whole.front().method.partial_chans_per_group, 16U);
  problem.methods = MethodSet::only(MatmulMethod::Amp) | MethodSet::only(MatmulMethod::AmpNx1);
  EXPECT_EQ(jointCandidates(toyMachine(), problem).size(), 4U);
}

}  // namespace
}  // namespace ipusim::workloads
