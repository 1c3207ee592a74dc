// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/cached_plan.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/files/disk_cache.h"
#include "tests/conv_planner/products.h"
#include "tests/support/temporary_folder.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/key.h"
#include "workloads/ops/conv/planner/problem.h"
#include "workloads/ops/conv/planner/training.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;

constexpr const char* kPlanStage = "plan";

constexpr std::uint32_t kTooMany = std::numeric_limits<std::uint32_t>::max();

/// A cache of this process, and problems whose plans are to be found in it.
class PlanCache : public testing::Test {
 protected:
  PlanCache() { useDiskCache(&cache_); }
  ~PlanCache() override { useDiskCache(nullptr); }

  void plan(const ConvProblem& problem) {
    problem_ = preparedProblem(problem);
    own_ = planConv(machine_, problem_);
  }
  [[nodiscard]] std::string key() const { return planKey(machine_, problem_); }
  void keep(const std::string& bytes) { cache_.keep(kPlanStage, key(), bytes); }

  /// What the cache has for the problem.
  [[nodiscard]] CachedPlan kept() {
    const auto bytes = cache_.find(kPlanStage, key());
    EXPECT_TRUE(bytes.has_value());
    const auto plan = cachedPlanOf(bytes.value_or(""));
    EXPECT_TRUE(plan.has_value());
    return plan.value_or(CachedPlan{});
  }

  /// Keeps a plan with a part that is not its own, and expects the plan of a search.
  void expectIgnored(const std::function<void(CachedPlan&)>& change) {
    CachedPlan poison = kept();
    change(poison);
    expectIgnored(bytesOf(poison));
  }
  void expectIgnored(const std::string& bytes) {
    keep(bytes);
    const ConvPlan plan = planConv(machine_, problem_);
    EXPECT_EQ(plan.cycles, own_.cycles);
    EXPECT_EQ(plan.temp, own_.temp);
    EXPECT_EQ(plan.bound, own_.bound);
    EXPECT_EQ(plan.training, own_.training);
    EXPECT_EQ(plan.partition.tiles(), own_.partition.tiles());
    EXPECT_EQ(plan.terms.total(1), own_.terms.total(1));
  }
  void expectOtherBytesIgnored();
  void expectOtherSplitsIgnored();

  TemporaryFolder folder_;
  DiskCache cache_{{folder_ / "cache", 1U << 30U, "1.0", [](const std::string&) {}}};
  Architecture machine_ = gc200Sdk();
  ConvProblem problem_;
  ConvPlan own_;
};

ConvProblem product() {
  return convOf(productIn(ConvPass::NoneMatmul, 1024, 512, 256));
}

/// The forward pass of a layer whose passes share a plan.
ConvProblem jointLayer() {
  return convOf(productIn(ConvPass::FcTrainingFwd, 4, 1024, 1024));
}

/// 3x3 kernels on 14 x 14.
ConvProblem convolution(std::uint64_t in_chans, std::uint64_t out_chans) {
  ConvDim dim;
  dim.field = 14;
  dim.kernel = 3;
  dim.input.pad_lower = 1;
  dim.input.pad_upper = 1;
  ConvProblem problem;
  problem.params.in_chans = in_chans;
  problem.params.out_chans = out_chans;
  problem.params.dims = {dim, dim};
  return problem;
}

void PlanCache::expectOtherBytesIgnored() {
  for (const char byte : {'\0', '\x01', '\x7f', '\xff'}) {
    expectIgnored(std::string(sizeof(CachedPlan), byte));
  }
  const std::string own = bytesOf(kept());
  expectIgnored(std::string());
  expectIgnored(own.substr(1));
  expectIgnored(own + '\0');
}

void PlanCache::expectOtherSplitsIgnored() {
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.field[1] = 0; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.field[1] = kTooMany; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.field[2] = 2; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.kernel[0] = kTooMany; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.kernel[1] = 2; });  // the innermost
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.batch = 0; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.conv_groups = kTooMany; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.in_chans = 0; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.out_chans = kTooMany; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.in_chans_serial = 1U << 30U; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.out_chans_serial = 0; });
  // Each is within the tiles, and their product is 0 in 32 bits.
  expectIgnored([](CachedPlan& p) {
    p.plan.point.partition.field = {1024, 1024, 1};
    p.plan.point.partition.batch = 1024;
    p.plan.point.partition.in_chans = 4;
  });
}

TEST_F(PlanCache, IgnoresOtherBytesForAProduct) {
  plan(product());
  expectOtherBytesIgnored();
}

TEST_F(PlanCache, IgnoresOtherBytesForAConvolution) {
  plan(convolution(64, 96));
  expectOtherBytesIgnored();
}

TEST_F(PlanCache, IgnoresSplitsOfAProductThatNoSearchTries) {
  plan(product());
  expectOtherSplitsIgnored();
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.field[0] = 2; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.batch = 2; });
}

TEST_F(PlanCache, IgnoresSplitsOfAConvolutionThatNoSearchTries) {
  plan(convolution(64, 96));
  expectOtherSplitsIgnored();
}

TEST_F(PlanCache, IgnoresSplitsOfAJointPlanThatNoSearchTries) {
  plan(jointLayer());
  ASSERT_EQ(own_.training, TrainingPlan::Joint);
  expectOtherSplitsIgnored();
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.out_chans = 2; });
  expectIgnored([](CachedPlan& p) { p.plan.point.partition.in_chans_serial = 2; });
  expectIgnored([](CachedPlan& p) { p.training = TrainingPlan::Separate; });
}

TEST_F(PlanCache, IgnoresCostsThatAreNotThoseOfThePoint) {
  for (const ConvProblem& problem : {product(), convolution(64, 96), jointLayer()}) {
    plan(problem);
    expectIgnored([](CachedPlan& p) { p.plan.cycles += Cycles(1); });
    expectIgnored([](CachedPlan& p) { p.plan.cycles = Cycles(1); });
    expectIgnored([](CachedPlan& p) { p.plan.temp += Bytes(1); });
    expectIgnored([](CachedPlan& p) { p.bound = Bytes(0); });
    expectIgnored([](CachedPlan& p) { p.bound = Bytes(p.plan.temp.value() - 1); });
  }
}

TEST_F(PlanCache, IgnoresWhatIsNoValueOfItsType) {
  for (const ConvProblem& problem : {product(), convolution(64, 96)}) {
    plan(problem);
    expectIgnored([](CachedPlan& p) { p.plan.point.broadcast = static_cast<ConvBroadcast>(7); });
    expectIgnored([](CachedPlan& p) { p.plan.point.broadcast = ConvBroadcast::BeforeLoop; });
    expectIgnored([](CachedPlan& p) { p.training = TrainingPlan::Joint; });
    expectIgnored([](CachedPlan& p) { p.training = static_cast<TrainingPlan>(7); });
    expectIgnored([](CachedPlan& p) { p.plan.candidate = ~std::size_t{0}; });
    expectIgnored([](CachedPlan& p) { p.plan.candidate += 1; });
  }
}

TEST_F(PlanCache, GivesThePlanThatItHas) {
  // Everything on one tile is slow, but a search tries it.
  for (const ConvProblem& problem : {product(), convolution(64, 96)}) {
    plan(problem);
    const ConvCandidate first = everyCandidate(machine_, problem_).front();
    const ConvTerms terms = convTerms(machine_, first, ConvPoint{});
    const CachedPlan slow{
        TrainingPlan::Separate, {0, {}, terms.total(1), terms.temp()}, terms.temp()};
    keep(bytesOf(slow));
    const ConvPlan found = planConv(machine_, problem_);
    EXPECT_EQ(found.partition.tiles(), 1U);
    EXPECT_EQ(found.cycles, terms.total(1));
    EXPECT_GT(found.cycles, own_.cycles);
  }
}

TEST_F(PlanCache, GivesAJointPlanToEachPass) {
  for (const ConvProblem& pass : trainingPasses(jointLayer())) {
    plan(pass);
    ASSERT_EQ(own_.training, TrainingPlan::Joint);
    const ConvPlan again = planConv(machine_, problem_);
    EXPECT_EQ(again.cycles, own_.cycles);
    EXPECT_EQ(again.pass_cycles, own_.pass_cycles);
    EXPECT_EQ(again.temp, own_.temp);
    EXPECT_TRUE(again.transformed == own_.transformed);
  }
}

/// The candidates among which a kept plan was found.
std::vector<ConvCandidate> candidatesOf(const Architecture& machine, const ConvProblem& problem,
                                        TrainingPlan training) {
  if (training == TrainingPlan::Separate) return everyCandidate(machine, problem);
  return jointCandidates(everyCandidate(machine, trainingPasses(problem).front()));
}

/// Products of all passes, and convolutions.
std::vector<ConvProblem> manyProblems() {
  std::vector<ConvProblem> problems{convolution(64, 96), convolution(3, 7), convolution(1, 1)};
  problems.back().params.groups = 24;
  for (const ConvPass pass :
       {ConvPass::NoneMatmul, ConvPass::FcInferenceFwd, ConvPass::FcTrainingFwd,
        ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu}) {
    for (const auto& [m, k, n] : {std::array<std::uint64_t, 3>{1024, 512, 256},
                                  {3, 1000, 17},
                                  {20000, 64, 4096},
                                  {64, 64, 64}}) {
      problems.push_back(convOf(productIn(pass, m, k, n)));
    }
  }
  return problems;
}

TEST_F(PlanCache, TakesEveryPlanThatASearchMade) {
  for (const ConvProblem& problem : manyProblems()) {
    plan(problem);
    const CachedPlan found = kept();
    EXPECT_TRUE(isFound(machine_, candidatesOf(machine_, problem_, found.training), found))
        << problem.params.out_chans << ' ' << problem.params.in_chans << ' '
        << problem.params.dims.back().field;
  }
}

TEST(KeptPlanOf, GivesBackWhatWasKept) {
  CachedPlan plan{TrainingPlan::Joint, {3, {}, Cycles(5), Bytes(7)}, Bytes(9)};
  plan.plan.point.partition.field = {2, 4, 6};
  plan.plan.point.broadcast = ConvBroadcast::BeforeLoop;
  const auto again = cachedPlanOf(bytesOf(plan));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(bytesOf(*again), bytesOf(plan));
  EXPECT_EQ(again->plan.point.partition.field, plan.plan.point.partition.field);
  EXPECT_EQ(again->bound, Bytes(9));
}

}  // namespace
}  // namespace ipusim::workloads
