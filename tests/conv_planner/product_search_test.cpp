// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/ipu/cost/products/amp.h"
#include "tests/conv_planner/every_point.h"
#include "tests/conv_planner/products.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

constexpr ElementType kSearchedFloat = ElementType::Float;
constexpr ElementType kSearchedHalf = ElementType::Half;

Machine toyOf(std::uint32_t tiles) {
  Machine machine = toyMachine();
  machine.tiles = tiles;
  return machine;
}

struct SearchCase {
  std::uint64_t groups, m, k, n;
  ElementType type;
  std::uint64_t bound;
  std::uint32_t tiles = 12;
};

class EveryProductSearch : public testing::TestWithParam<SearchCase> {};

TEST_P(EveryProductSearch, FindsWhatTryingAllPointsFinds) {
  const SearchCase& sizes = GetParam();
  const Machine machine = toyOf(sizes.tiles);
  MatmulProblem problem = productIn(ConvPass::NoneMatmul, sizes.m, sizes.k, sizes.n);
  problem.groups = sizes.groups;
  problem.input = problem.output = problem.partials = sizes.type;
  const auto candidates = everyCandidate(machine, convOf(problem));
  const Bytes bound(sizes.bound);
  for (const PlanGoal goal : {PlanGoal::FewestCycles, PlanGoal::LeastMemory}) {
    EXPECT_EQ(bestFound(machine, candidates, bound, goal),
              bestOfAll(machine, candidates, bound, goal));
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, EveryProductSearch,
                         testing::Values(SearchCase{1, 40, 24, 36, kSearchedFloat, 100000},
                                         SearchCase{1, 40, 24, 36, kSearchedFloat, 3000},
                                         SearchCase{1, 40, 24, 36, kSearchedFloat, 1200},
                                         SearchCase{1, 40, 24, 36, kSearchedFloat, 100},
                                         SearchCase{1, 48, 32, 7, kSearchedHalf, 2000},
                                         SearchCase{1, 48, 32, 7, kSearchedHalf, 500},
                                         SearchCase{3, 16, 12, 16, kSearchedFloat, 100000},
                                         SearchCase{3, 16, 12, 16, kSearchedFloat, 700},
                                         SearchCase{1, 60, 1, 60, kSearchedFloat, 100000},
                                         SearchCase{1, 1, 40, 12, kSearchedHalf, 100000},
                                         SearchCase{2, 13, 20, 5, kSearchedHalf, 400}));

// Several points have the fewest cycles, and the first of them has not the fewest bytes.
INSTANTIATE_TEST_SUITE_P(EqualCycles, EveryProductSearch,
                         testing::Values(SearchCase{1, 1, 10, 4, kSearchedFloat, 100000, 4},
                                         SearchCase{1, 1, 15, 6, kSearchedFloat, 100000, 4}));

// Little memory: besides the result, only loops over in channels fit.
INSTANTIATE_TEST_SUITE_P(LongProducts, EveryProductSearch,
                         testing::Values(SearchCase{1, 8, 480, 8, kSearchedFloat, 1200, 2},
                                         SearchCase{1, 8, 480, 8, kSearchedFloat, 800, 2},
                                         SearchCase{1, 16, 480, 16, kSearchedFloat, 1900, 2},
                                         SearchCase{1, 2, 480, 2, kSearchedHalf, 200, 2}));

std::uint64_t drawn(std::mt19937& random, std::uint64_t least, std::uint64_t most) {
  return least + random() % (most - least + 1);
}

/// Small products of all types, passes and bounds, whose splits seldom divide.
MatmulProblem randomProduct(std::mt19937& random) {
  MatmulProblem problem;
  problem.groups = drawn(random, 1, 2);
  problem.m = drawn(random, 1, 45);
  problem.k = drawn(random, 1, 45);
  problem.n = drawn(random, 1, 45);
  const std::uint64_t types = drawn(random, 0, 2);
  if (types > 0) problem.input = problem.output = kSearchedHalf;
  if (types > 1) problem.partials = kSearchedHalf;
  constexpr std::array kPasses{ConvPass::NoneMatmul, ConvPass::FcInferenceFwd,
                               ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu};
  problem.pass = kPasses.at(drawn(random, 0, kPasses.size() - 1));
  return problem;
}

std::string nameOf(const MatmulProblem& problem) {
  return std::to_string(problem.groups) + ' ' + std::to_string(problem.m) + ' ' +
         std::to_string(problem.k) + ' ' + std::to_string(problem.n);
}

/// Expects the best of all points within a random bound, and the least memory. Returns what was
/// found, or nothing where no point is allowed.
std::optional<FoundConvPlan> expectBest(const Machine& machine, const MatmulProblem& problem,
                                        const std::vector<ConvCandidate>& candidates,
                                        std::mt19937& random) {
  const auto least = searchConvPlan(machine, candidates, kNoBytesBound, PlanGoal::LeastMemory);
  if (!least) {
    EXPECT_EQ(bestOfAll(machine, candidates, kNoBytesBound), kNoPoint) << nameOf(problem);
    return std::nullopt;
  }
  const Bytes bound = least->temp * drawn(random, 1, 8);
  EXPECT_EQ(bestFound(machine, candidates, bound), bestOfAll(machine, candidates, bound))
      << nameOf(problem) << ", bound " << bound.value();
  EXPECT_EQ((PointCost{least->cycles, least->temp}),
            bestOfAll(machine, candidates, kNoBytesBound, PlanGoal::LeastMemory))
      << nameOf(problem);
  return searchConvPlan(machine, candidates, bound);
}

/// A vertex of the published planner by itself: better vertices would hide what its search misses.
struct MethodCase {
  ConvMethod method;
  bool narrow = false;  ///< AMP on fewer in channels than an engine holds weights
};

class EveryMethod : public testing::TestWithParam<MethodCase> {};

bool isNarrowAmp(const ConvCandidate& candidate) {
  return candidate.vertex.method == ConvMethod::Amp &&
         candidate.vertex.in_chans_per_group <
             models::ampWeightsPerUnit(toyMachine(), candidate.input);
}

TEST_P(EveryMethod, FindsTheBestOfAllPointsOfRandomProducts) {
  std::mt19937 random(11);
  int planned = 0;
  for (int product = 0; product < 60; ++product) {
    const Machine machine = toyOf(static_cast<std::uint32_t>(drawn(random, 1, 6)));
    MatmulProblem problem = randomProduct(random);
    problem.groups = drawn(random, 1, 9);
    problem.k = drawn(random, 1, 12);
    problem.method = GetParam().method;
    problem.combining = GroupCombining::Allowed;
    std::vector<ConvCandidate> candidates;
    for (const ConvCandidate& candidate : everyCandidate(machine, convOf(problem))) {
      if (isNarrowAmp(candidate) == GetParam().narrow) candidates.push_back(candidate);
    }
    if (expectBest(machine, problem, candidates, random)) ++planned;
  }
  EXPECT_GT(planned, 5);
}

INSTANTIATE_TEST_SUITE_P(Published, EveryMethod,
                         testing::Values(MethodCase{ConvMethod::Amp}, MethodCase{ConvMethod::Hmac},
                                         MethodCase{ConvMethod::OuterProduct},
                                         MethodCase{ConvMethod::Amp, true},
                                         MethodCase{ConvMethod::Slic},
                                         MethodCase{ConvMethod::Vmac}));

TEST(ProductSearch, FindsTheBestOfAllPointsOfRandomProducts) {
  std::mt19937 random(7);
  std::size_t loops = 0;
  for (int product = 0; product < 200; ++product) {
    const Machine machine = toyOf(static_cast<std::uint32_t>(drawn(random, 1, 5)));
    const MatmulProblem problem = randomProduct(random);
    const auto candidates = everyCandidate(machine, convOf(problem));
    const auto found = expectBest(machine, problem, candidates, random);
    ASSERT_TRUE(found.has_value());
    loops += found->point.partition.steps() > 1 ? 1 : 0;
    const auto least = searchConvPlan(machine, candidates, kNoBytesBound, PlanGoal::LeastMemory);
    EXPECT_FALSE(searchConvPlan(machine, candidates, Bytes(least->temp.value() - 1))) << product;
  }
  EXPECT_GT(loops, 10U);
}

TEST(ProductSearch, FindsTheBestOfAllJointPointsOfRandomLayers) {
  std::mt19937 random(13);
  std::size_t loops = 0;
  int planned = 0;
  for (int layer = 0; layer < 100; ++layer) {
    const Machine machine = toyOf(static_cast<std::uint32_t>(drawn(random, 1, 6)));
    MatmulProblem problem = randomProduct(random);
    problem.pass = ConvPass::FcTrainingFwd;
    const auto joint = jointCandidates(everyCandidate(machine, convOf(problem)));
    const auto found = expectBest(machine, problem, joint, random);
    if (!found) continue;
    ++planned;
    loops += found->point.partition.steps() > 1 ? 1 : 0;
  }
  EXPECT_GT(planned, 50);
  EXPECT_GT(loops, 5U);
}

/// Two candidates of equal cost: whole groups of 8 need no rearranging in either pass.
std::vector<ConvCandidate> twins() {
  ConvCandidate first = floatAmp({1, 24, 32, 64}, 8);
  ConvCandidate second = first;
  second.pass = ConvPass::FcInferenceFwd;
  return {first, second};
}

TEST(ProductSearch, TakesTheFirstOfEquals) {
  auto candidates = twins();
  const auto pass_found = [&] {
    const auto found = searchConvPlan(toyMachine(), candidates, kNoBytesBound);
    return candidates.at(found->candidate).pass;
  };
  EXPECT_EQ(pass_found(), ConvPass::NoneMatmul);
  std::swap(candidates.front(), candidates.back());
  EXPECT_EQ(pass_found(), ConvPass::FcInferenceFwd);
}

TEST(ProductSearch, MayLookForTheLeastMemory) {
  const auto least = searchConvPlan(toyMachine(), twins(), kNoBytesBound, PlanGoal::LeastMemory);
  const auto fastest = searchConvPlan(toyMachine(), twins(), kNoBytesBound);
  EXPECT_LT(least->temp, fastest->temp);
  EXPECT_GT(least->cycles, fastest->cycles);
  const ConvCandidate first = twins().front();
  const auto act = [&](const ConvPartition& partition) {
    EXPECT_GE(convTerms(toyMachine(), first, {partition}).temp(), least->temp);
  };
  EveryPartition(toyMachine(), first, act);
}

TEST(ProductSearch, FindsNothingWhereNothingFits) {
  EXPECT_FALSE(searchConvPlan(toyMachine(), twins(), Bytes(64)));
}

}  // namespace
}  // namespace ipusim::workloads
