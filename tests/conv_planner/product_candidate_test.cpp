// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "models/ipu/cost/products/amp.h"
#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/training.h"
#include "workloads/ops/conv/planner/vertices/vertex_cycles.h"

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

MatmulProblem productOf(ElementType input, ElementType partials, std::uint64_t k) {
  MatmulProblem problem = productIn(ConvPass::NoneMatmul, 32, k, 64);
  problem.input = input;
  problem.output = input;
  problem.partials = partials;
  return problem;
}

std::vector<ConvCandidate> candidatesFor(const MatmulProblem& problem) {
  return everyCandidate(toyMachine(), convOf(problem));
}

/// Engines, in channels and out channels of a group.
using Grains = std::array<std::uint32_t, 3>;

std::vector<Grains> grainsOf(MatmulProblem problem, ConvMethod method) {
  problem.method = method;
  std::vector<Grains> grains;
  for (const ConvCandidate& candidate : candidatesFor(problem)) {
    const ConvVertex& vertex = candidate.vertex;
    EXPECT_EQ(vertex.method, method);
    if (candidate.swapped) continue;
    grains.push_back(
        {vertex.conv_units, vertex.in_chans_per_group, vertex.partial_chans_per_group});
  }
  return grains;
}

/// The grains of AMP on groups of as many in channels as an engine holds weights.
std::vector<Grains> wholeAmps(const MatmulProblem& problem) {
  std::vector<Grains> grains = grainsOf(problem, ConvMethod::Amp);
  const std::uint32_t load = models::ampWeightsPerUnit(toyMachine(), problem.input);
  const auto is_narrow = [load](const Grains& amp) { return amp[1] != load; };
  grains.erase(std::remove_if(grains.begin(), grains.end(), is_narrow), grains.end());
  return grains;
}

/// The grains of AMP on groups of fewer in channels, which takes several rows of a kernel.
std::vector<Grains> narrowAmps(const MatmulProblem& problem) {
  std::vector<Grains> grains = grainsOf(problem, ConvMethod::Amp);
  const std::uint32_t load = models::ampWeightsPerUnit(toyMachine(), problem.input);
  const auto is_whole = [load](const Grains& amp) { return amp[1] == load; };
  grains.erase(std::remove_if(grains.begin(), grains.end(), is_whole), grains.end());
  return grains;
}

TEST(ProductCandidates, TakeAllAmpEnginesOrEight) {
  EXPECT_THAT(wholeAmps(productOf(kFloat, kFloat, 64)),
              ElementsAre(Grains{16, 8, 16}, Grains{8, 8, 8}));
  EXPECT_THAT(wholeAmps(productOf(kHalf, kHalf, 64)),
              ElementsAre(Grains{16, 16, 16}, Grains{8, 16, 8}));
}

TEST(ProductCandidates, MayPassTwiceOverTheWeightsWithAllEngines) {
  EXPECT_THAT(wholeAmps(productOf(kHalf, kFloat, 64)),
              ElementsAre(Grains{8, 16, 8}, Grains{8, 16, 16}));
}

TEST(ProductCandidates, PassOnceInInference) {
  MatmulProblem problem = productOf(kHalf, kFloat, 64);
  problem.pass = ConvPass::FcInferenceFwd;
  EXPECT_THAT(wholeAmps(problem), ElementsAre(Grains{8, 16, 8}));
}

TEST(ProductCandidates, TryHalfPartialsWhereNothingIsAddedUp) {
  const auto grains = wholeAmps(productOf(kHalf, kFloat, 16));
  EXPECT_THAT(grains, Contains(Grains{16, 16, 16}));  // the engines of half partials
  EXPECT_THAT(wholeAmps(productOf(kHalf, kFloat, 17)), Not(Contains(Grains{16, 16, 16})));
}

TEST(ProductCandidates, TakeTheFewestHmacChannelsForEachNumberOfGroups) {
  // 10 channels in 1, 2, 3, 4, 5 and 10 groups, sorted by padding: none for 10, 5, 2 and 1, then 4
  // and 3, which pad to 12.
  EXPECT_THAT(grainsOf(productOf(kFloat, kFloat, 10), ConvMethod::Hmac),
              ElementsAre(Grains{0, 1, 1}, Grains{0, 2, 1}, Grains{0, 5, 1}, Grains{0, 10, 1},
                          Grains{0, 3, 1}, Grains{0, 4, 1}));
}

TEST(ProductCandidates, PairHalfHmacChannels) {
  for (const Grains& grains : grainsOf(productOf(kHalf, kHalf, 9), ConvMethod::Hmac)) {
    EXPECT_EQ(grains[1] % 2, 0U);
    EXPECT_EQ(grains[2], 2U);
  }
}

TEST(ProductCandidates, TakeAnOuterProductWithPartialsOfItsInput) {
  EXPECT_THAT(grainsOf(productOf(kHalf, kHalf, 64), ConvMethod::OuterProduct),
              ElementsAre(Grains{0, 1, 4}));
  // Half partials are precise enough when nothing is summed.
  EXPECT_THAT(grainsOf(productOf(kHalf, kFloat, 1), ConvMethod::OuterProduct),
              ElementsAre(Grains{0, 1, 4}));
  EXPECT_THAT(grainsOf(productOf(kHalf, kFloat, 2), ConvMethod::OuterProduct), ElementsAre());
}

TEST(ProductCandidates, CombineNoGroupsUnlessAskedTo) {
  MatmulProblem problem = productOf(kHalf, kHalf, 2);
  problem.groups = 8;
  for (const ConvCandidate& candidate : candidatesFor(problem)) {
    EXPECT_FALSE(candidate.combined);
    EXPECT_EQ(candidate.groups, 8U);
  }
}

TEST(ProductCandidates, TakeFewerInChansWithAKernelOfSeveralRows) {
  EXPECT_THAT(
      narrowAmps(productOf(kHalf, kHalf, 64)),
      UnorderedElementsAre(Grains{16, 8, 16}, Grains{8, 8, 8}, Grains{16, 4, 16}, Grains{8, 4, 8}));
  EXPECT_THAT(
      narrowAmps(productOf(kFloat, kFloat, 64)),
      UnorderedElementsAre(Grains{16, 4, 16}, Grains{8, 4, 8}, Grains{16, 2, 16}, Grains{8, 2, 8}));
}

TEST(ProductCandidates, TryHalfPartialsWhereOneLoadOfWeightsHoldsAllInChans) {
  // 12 in channels are three groups of 4, which do not fill a load of 16. Two groups of 8 do.
  const auto grains = narrowAmps(productOf(kHalf, kFloat, 12));
  EXPECT_THAT(grains, Contains(Grains{16, 8, 16}));
  EXPECT_THAT(grains, Not(Contains(Grains{16, 4, 16})));
}

/// Groups side by side, channels and chains.
std::vector<Grains> sideBySide(MatmulProblem problem, ConvMethod method) {
  problem.method = method;
  std::vector<Grains> grains;
  for (const ConvCandidate& candidate : candidatesFor(problem)) {
    const ConvVertex& vertex = candidate.vertex;
    EXPECT_EQ(vertex.in_chans_per_group, vertex.partial_chans_per_group);
    if (candidate.swapped) continue;
    grains.push_back({vertex.conv_groups_per_group, vertex.in_chans_per_group, vertex.chains});
  }
  return grains;
}

TEST(ProductCandidates, SlideAWindowOverHalvesOutsideALayer) {
  const ConvMethod slic = ConvMethod::Slic;
  EXPECT_THAT(sideBySide(productOf(kHalf, kFloat, 64), slic),
              UnorderedElementsAre(Grains{1, 4, 2}, Grains{2, 2, 2}, Grains{4, 1, 2}));
  EXPECT_THAT(
      sideBySide(productOf(kHalf, kHalf, 64), slic),
      UnorderedElementsAre(Grains{1, 4, 4}, Grains{2, 2, 4}, Grains{4, 1, 4}, Grains{8, 1, 4},
                           Grains{16, 1, 4}, Grains{1, 4, 2}, Grains{2, 2, 2}, Grains{4, 1, 2},
                           Grains{8, 1, 2}, Grains{16, 1, 2}));
  EXPECT_THAT(sideBySide(productOf(kFloat, kFloat, 64), slic), ElementsAre());
  MatmulProblem layer = productOf(kHalf, kHalf, 64);
  layer.pass = ConvPass::FcInferenceFwd;
  EXPECT_THAT(sideBySide(layer, slic), ElementsAre());
}

TEST(ProductCandidates, MultiplyHalvesOfSeveralGroupsSideBySide) {
  const ConvMethod vmac = ConvMethod::Vmac;
  EXPECT_THAT(sideBySide(productOf(kHalf, kFloat, 64), vmac), ElementsAre(Grains{4, 1, 0}));
  EXPECT_THAT(sideBySide(productOf(kHalf, kHalf, 64), vmac),
              ElementsAre(Grains{4, 1, 0}, Grains{8, 1, 0}, Grains{16, 1, 0}));
  EXPECT_THAT(sideBySide(productOf(kFloat, kFloat, 64), vmac), ElementsAre());
}

/// Whether a vertex of `method` takes as many groups of channels on a tile.
bool takesGroups(ConvMethod method, std::uint64_t in_groups, std::uint64_t out_groups) {
  ConvCandidate candidate;
  candidate.vertex.method = method;
  return takes(candidate, {{1, 8, 1}, {1, 1, 1}, 1, 1, in_groups, out_groups, 0, 0, 0, 0});
}

TEST(ProductCandidates, TakeOneGroupATileWhereTheVertexHoldsOne) {
  EXPECT_FALSE(takesGroups(ConvMethod::Slic, 2, 1));
  EXPECT_FALSE(takesGroups(ConvMethod::Slic, 1, 2));
  EXPECT_TRUE(takesGroups(ConvMethod::Vmac, 2, 1));
  EXPECT_FALSE(takesGroups(ConvMethod::Vmac, 1, 2));
  EXPECT_FALSE(takesGroups(ConvMethod::OuterProduct, 2, 1));
  EXPECT_TRUE(takesGroups(ConvMethod::OuterProduct, 1, 2));
}

/// How many groups are combined, in order, each with the size that swapped operands give.
std::vector<std::pair<std::uint32_t, std::uint64_t>> combinedInChans(MatmulProblem problem) {
  problem.method = ConvMethod::Amp;
  problem.combining = GroupCombining::Allowed;
  const ConvProblem whole = convOf(problem);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;
  for (const TransformedConv& conv : transformsOf(toyMachine(), whole)) {
    if (conv.transforms.swap) continue;
    const std::uint32_t count = conv.transforms.combined_groups;
    EXPECT_EQ(conv.params.out_chans, problem.m * count);
    EXPECT_EQ(conv.params.groups, ceilDiv<std::uint64_t>(problem.groups, count));
    for (const ConvCandidate& candidate : candidatesOf(toyMachine(), whole, conv)) {
      EXPECT_EQ(candidate.most_in_steps, 1U);
    }
    counts.emplace_back(count, conv.params.in_chans);
  }
  return counts;
}

TEST(ProductCandidates, CombineGroupsOfOneInChannelUntilALoadIsFull) {
  MatmulProblem problem = productOf(kFloat, kFloat, 1);
  problem.groups = 13;
  EXPECT_THAT(combinedInChans(problem),
              ElementsAre(Pair(1, 1), Pair(2, 2), Pair(4, 4), Pair(8, 8)));
  problem.k = 2;
  EXPECT_THAT(combinedInChans(problem), ElementsAre(Pair(1, 2)));
  problem = productOf(kHalf, kHalf, 2);
  problem.groups = 13;
  EXPECT_THAT(combinedInChans(problem),
              ElementsAre(Pair(1, 2), Pair(2, 4), Pair(4, 8), Pair(8, 16)));
  problem.groups = 1;
  EXPECT_THAT(combinedInChans(problem), ElementsAre(Pair(1, 2)));
}

TEST(ProductCandidates, TryTheLeftOperandAsWeightsFirst) {
  const auto candidates = candidatesFor(productOf(kFloat, kFloat, 64));
  const auto as_given = [](const ConvCandidate& c) { return c.swapped; };
  EXPECT_TRUE(std::is_partitioned(candidates.rbegin(), candidates.rend(), as_given));
  EXPECT_EQ(candidates.front().out_chans, 32U);
  EXPECT_EQ(candidates.front().innermost().outputs, 64U);
  EXPECT_EQ(candidates.back().out_chans, 64U);
  EXPECT_EQ(candidates.back().innermost().outputs, 32U);
}

TEST(ProductCandidates, KeepPairsOfHalfResultsInAWord) {
  MatmulProblem problem = productOf(kHalf, kFloat, 32);
  problem.method = ConvMethod::Hmac;  // one out channel a group
  EXPECT_EQ(candidatesFor(problem).front().innermost().grain, 2U);
  problem.n = 63;
  EXPECT_EQ(candidatesFor(problem).front().innermost().grain, 1U);
}

std::vector<ConvCandidate> jointAmps(MatmulProblem forward) {
  forward.pass = ConvPass::FcTrainingFwd;
  forward.method = ConvMethod::Amp;
  return jointCandidates(candidatesFor(forward));
}

TEST(JointCandidates, ShareGrainsBetweenThePasses) {
  const auto candidates = jointAmps(productOf(kFloat, kFloat, 64));
  ASSERT_EQ(candidates.size(), 1U);  // 8 in channels do not fill 16 engines
  EXPECT_EQ(candidates.front().vertex.conv_units, 8U);
  EXPECT_EQ(candidates.front().innermost().grain, 8U);
  EXPECT_FALSE(candidates.front().swapped);
}

TEST(JointCandidates, NeedAVertexForTheUpdateToo) {
  const auto joint = jointAmps(productOf(kHalf, kFloat, 64));
  EXPECT_EQ(joint.size(), 4U);  // 4 in channels do not fill 8 engines as out channels
  // 8 out channels become 8 in channels, which are half a load.
  const auto takes_whole_loads = [](const ConvCandidate& candidate) {
    return candidate.vertex.in_chans_per_group == 16 &&
           candidate.vertex.partial_chans_per_group == 16;
  };
  EXPECT_EQ(std::count_if(joint.begin(), joint.end(), takes_whole_loads), 1);
}

}  // namespace
}  // namespace ipusim::workloads
