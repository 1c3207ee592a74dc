// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_search.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

#include "tests/planner/float_amp.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/matmul/plan_estimate.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

constexpr Bytes kNoBound(std::numeric_limits<std::uint64_t>::max());

bool isUseful(std::uint64_t grains, std::uint64_t split) {
  return split <= grains && split == ceilDiv(grains, ceilDiv(grains, split));
}

bool isAllowed(const Machine& machine, const PlanCandidate& candidate,
               const MatmulPartition& partition) {
  const std::uint64_t in = std::uint64_t{partition.in_chans} * partition.in_chans_serial;
  const std::uint64_t out = std::uint64_t{partition.out_chans} * partition.out_chans_serial;
  return partition.tiles() <= machine.tiles &&
         (partition.in_chans_serial == 1 || partition.out_chans_serial == 1) &&
         partition.in_chans_serial <= candidate.mostInSteps() &&
         partition.out_chans_serial <= candidate.mostOutSteps() &&
         isUseful(candidate.convGroupGrains(), partition.conv_groups) &&
         isUseful(candidate.fieldGrains(), partition.field) && isUseful(candidate.inGroups(), in) &&
         isUseful(candidate.outGroups(), out) &&
         candidate.takesInGroups(ceilDiv(candidate.inGroups(), in)) &&
         candidate.takesOutGroups(ceilDiv(candidate.outGroups(), out));
}

using Splits = std::array<std::uint32_t, 6>;

/// Goes to the next of all splits within `most`, like an odometer. Returns false after the last.
bool advance(Splits& splits, const Splits& most) {
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (++splits[i] <= most[i]) return true;
    splits[i] = 1;
  }
  return false;
}

/// Calls `use` with every allowed partition.
template <typename Use>
void forEachPartition(const Machine& machine, const PlanCandidate& candidate, const Use& use) {
  const auto steps = [](std::uint64_t groups) { return static_cast<std::uint32_t>(groups); };
  const Splits most{machine.tiles,
                    machine.tiles,
                    machine.tiles,
                    machine.tiles,
                    steps(candidate.outGroups()),
                    steps(candidate.inGroups())};
  Splits splits{1, 1, 1, 1, 1, 1};
  do {
    const MatmulPartition partition{
        splits[0], splits[1], splits[2], splits[3], splits[4], splits[5], candidate.field_grain};
    if (isAllowed(machine, candidate, partition)) use(partition);
  } while (advance(splits, most));
}

/// Fewest cycles, then fewest bytes.
using Cost = std::pair<std::uint64_t, std::uint64_t>;
constexpr Cost kNone{kNoBound.value(), kNoBound.value()};

Cost bestOfAll(const Machine& machine, const std::vector<PlanCandidate>& candidates, Bytes bound) {
  Cost best = kNone;
  for (const PlanCandidate& candidate : candidates) {
    forEachPartition(machine, candidate, [&](const MatmulPartition& partition) {
      for (const auto broadcast : {InputBroadcast::EachStep, InputBroadcast::BeforeLoop}) {
        if (broadcast == InputBroadcast::BeforeLoop && partition.out_chans_serial == 1) continue;
        const PlanPoint point{partition, broadcast};
        const Bytes temp = planTempBytes(machine, candidate, point);
        if (temp > bound) continue;
        const auto depths = models::reductionDepths(partition.in_chans);
        const Cycles cycles = planTerms(machine, candidate, point, depths).total(partition.steps());
        best = std::min(best, {cycles.value(), temp.value()});
      }
    });
  }
  return best;
}

Cost bestFound(const Machine& machine, const std::vector<PlanCandidate>& candidates, Bytes bound) {
  const auto found = searchPlan(machine, candidates, bound, PlanGoal::FewestCycles);
  return found ? Cost{found->cycles.value(), found->temp.value()} : kNone;
}

struct SearchCase {
  std::uint64_t groups, m, k, n;
  ElementType type;
  std::uint64_t bound;
  std::uint32_t tiles = 12;
};

class EverySearch : public testing::TestWithParam<SearchCase> {};

TEST_P(EverySearch, FindsWhatTryingAllPointsFinds) {
  const SearchCase& sizes = GetParam();
  Machine machine = toyMachine();
  machine.tiles = sizes.tiles;
  MatmulProblem problem;
  problem.groups = sizes.groups;
  problem.m = sizes.m;
  problem.k = sizes.k;
  problem.n = sizes.n;
  problem.input = problem.output = problem.partials = sizes.type;
  const auto candidates = planCandidates(machine, problem);
  const Bytes bound(sizes.bound);
  EXPECT_EQ(bestFound(machine, candidates, bound), bestOfAll(machine, candidates, bound));
}

constexpr ElementType kPlanSearchFloat = ElementType::Float;
constexpr ElementType kPlanSearchHalf = ElementType::Half;

INSTANTIATE_TEST_SUITE_P(Bounds, EverySearch,
                         testing::Values(SearchCase{1, 40, 24, 36, kPlanSearchFloat, 100000},
                                         SearchCase{1, 40, 24, 36, kPlanSearchFloat, 3000},
                                         SearchCase{1, 40, 24, 36, kPlanSearchFloat, 1200},
                                         SearchCase{1, 40, 24, 36, kPlanSearchFloat, 100},
                                         SearchCase{1, 48, 32, 7, kPlanSearchHalf, 2000},
                                         SearchCase{1, 48, 32, 7, kPlanSearchHalf, 500},
                                         SearchCase{3, 16, 12, 16, kPlanSearchFloat, 100000},
                                         SearchCase{3, 16, 12, 16, kPlanSearchFloat, 700},
                                         SearchCase{1, 60, 1, 60, kPlanSearchFloat, 100000},
                                         SearchCase{1, 1, 40, 12, kPlanSearchHalf, 100000},
                                         SearchCase{2, 13, 20, 5, kPlanSearchHalf, 400}));

// Several points have the fewest cycles, and the first of them has not the fewest bytes.
INSTANTIATE_TEST_SUITE_P(EqualCycles, EverySearch,
                         testing::Values(SearchCase{1, 1, 10, 4, kPlanSearchFloat, 100000, 4},
                                         SearchCase{1, 1, 15, 6, kPlanSearchFloat, 100000, 4}));

// Little memory: besides the result, only loops over in channels fit.
INSTANTIATE_TEST_SUITE_P(LongProducts, EverySearch,
                         testing::Values(SearchCase{1, 8, 480, 8, kPlanSearchFloat, 1200, 2},
                                         SearchCase{1, 8, 480, 8, kPlanSearchFloat, 800, 2},
                                         SearchCase{1, 16, 480, 16, kPlanSearchFloat, 1900, 2},
                                         SearchCase{1, 2, 480, 2, kPlanSearchHalf, 200, 2}));

std::uint64_t drawn(std::mt19937& random, std::uint64_t least, std::uint64_t most) {
  return least + random() % (most - least + 1);
}

/// Small products of all types, passes and bounds, whose splits seldom divide.
MatmulProblem randomProblem(std::mt19937& random) {
  MatmulProblem problem;
  problem.groups = drawn(random, 1, 2);
  problem.m = drawn(random, 1, 45);
  problem.k = drawn(random, 1, 45);
  problem.n = drawn(random, 1, 45);
  const std::uint64_t types = drawn(random, 0, 2);
  if (types > 0) problem.input = problem.output = kPlanSearchHalf;
  if (types > 1) problem.partials = kPlanSearchHalf;
  constexpr std::array kPasses{MatmulPass::NoneMatmul, MatmulPass::InferenceFwd,
                               MatmulPass::TrainingBwd, MatmulPass::TrainingWu};
  problem.pass = kPasses.at(drawn(random, 0, kPasses.size() - 1));
  return problem;
}

/// A vertex of the published planner by itself: better vertices would hide what its search misses.
class EveryMethod : public testing::TestWithParam<MatmulMethod> {};

TEST_P(EveryMethod, FindsTheBestOfAllPointsOfRandomProducts) {
  std::mt19937 random(11);
  int planned = 0;
  for (int product = 0; product < 60; ++product) {
    Machine machine = toyMachine();
    machine.tiles = static_cast<std::uint32_t>(drawn(random, 1, 6));
    MatmulProblem problem = randomProblem(random);
    problem.groups = drawn(random, 1, 9);
    problem.k = drawn(random, 1, 12);
    problem.methods = MethodSet::only(GetParam());
    problem.combining = GroupCombining::Allowed;
    const auto candidates = planCandidates(machine, problem);
    const auto least = searchPlan(machine, candidates, kNoBound, PlanGoal::LeastMemory);
    if (!least) continue;
    ++planned;
    const Bytes bound = least->temp * drawn(random, 1, 8);
    EXPECT_EQ(bestFound(machine, candidates, bound), bestOfAll(machine, candidates, bound))
        << product << ": " << problem.groups << ' ' << problem.m << ' ' << problem.k << ' '
        << problem.n << ", bound " << bound.value();
  }
  EXPECT_GT(planned, 5);
}

INSTANTIATE_TEST_SUITE_P(Published, EveryMethod,
                         testing::Values(MatmulMethod::Amp, MatmulMethod::Hmac,
                                         MatmulMethod::OuterProduct, MatmulMethod::AmpNx1,
                                         MatmulMethod::Slic, MatmulMethod::Vmac));

TEST(SearchPlan, FindsTheBestOfAllPointsOfRandomProducts) {
  std::mt19937 random(7);
  std::size_t loops = 0;
  for (int product = 0; product < 200; ++product) {
    Machine machine = toyMachine();
    machine.tiles = static_cast<std::uint32_t>(drawn(random, 1, 5));
    const MatmulProblem problem = randomProblem(random);
    const auto candidates = planCandidates(machine, problem);
    const auto least = searchPlan(machine, candidates, kNoBound, PlanGoal::LeastMemory);
    const Bytes bound = least->temp * drawn(random, 1, 8);
    EXPECT_EQ(bestFound(machine, candidates, bound), bestOfAll(machine, candidates, bound))
        << product << ": " << problem.groups << ' ' << problem.m << ' ' << problem.k << ' '
        << problem.n << ", bound " << bound.value();
    EXPECT_EQ(bestOfAll(machine, candidates, Bytes(least->temp.value() - 1)), kNone) << product;
    const auto found = searchPlan(machine, candidates, bound, PlanGoal::FewestCycles);
    loops += found->point.partition.steps() > 1 ? 1 : 0;
  }
  EXPECT_GT(loops, 10U);
}

/// Two candidates of equal cost: whole groups of 8 need no rearranging in either pass.
std::vector<PlanCandidate> twins() {
  PlanCandidate first = floatAmp({1, 24, 32, 64}, 8);
  PlanCandidate second = first;
  second.pass = MatmulPass::InferenceFwd;
  return {first, second};
}

TEST(SearchPlan, TakesTheFirstOfEquals) {
  auto candidates = twins();
  auto found = searchPlan(toyMachine(), candidates, kNoBound, PlanGoal::FewestCycles);
  EXPECT_EQ(found->candidate.pass, MatmulPass::NoneMatmul);
  std::swap(candidates.front(), candidates.back());
  found = searchPlan(toyMachine(), candidates, kNoBound, PlanGoal::FewestCycles);
  EXPECT_EQ(found->candidate.pass, MatmulPass::InferenceFwd);
}

TEST(SearchPlan, MayLookForTheLeastMemory) {
  const auto least = searchPlan(toyMachine(), twins(), kNoBound, PlanGoal::LeastMemory);
  const auto fastest = searchPlan(toyMachine(), twins(), kNoBound, PlanGoal::FewestCycles);
  EXPECT_LT(least->temp, fastest->temp);
  EXPECT_GT(least->cycles, fastest->cycles);
  forEachPartition(toyMachine(), twins().front(), [&](const MatmulPartition& partition) {
    EXPECT_GE(planTempBytes(toyMachine(), twins().front(), {partition, InputBroadcast::EachStep}),
              least->temp);
  });
}

TEST(SearchPlan, FindsNothingWhereNothingFits) {
  EXPECT_FALSE(searchPlan(toyMachine(), twins(), Bytes(64), PlanGoal::FewestCycles));
}

}  // namespace
}  // namespace ipusim::workloads
