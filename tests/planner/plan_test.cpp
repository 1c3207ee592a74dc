// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::ElementType;
using models::gc200Sdk;
using models::toyMachine;
using testing::HasSubstr;

MatmulProblem floats(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  MatmulProblem problem;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  return problem;
}

TEST(PlanMatmul, SpreadsASquareOverNearlyAllTiles) {
  const MatmulPlan plan = planMatmul(gc200Sdk(), floats(1024, 1024, 1024));
  EXPECT_EQ(plan.method.kind, MatmulMethod::Amp);
  EXPECT_EQ(plan.order, OperandOrder::Swapped);
  EXPECT_GT(plan.partition.tiles(), 1400U);
  EXPECT_LE(plan.partition.tiles(), 1472U);
  EXPECT_EQ(plan.pass_cycles, plan.terms.total(1));
  EXPECT_EQ(plan.cycles, plan.pass_cycles);
}

TEST(PlanMatmul, PutsSmallGroupsOnTilesOfTheirOwn) {
  MatmulProblem problem = floats(16, 16, 16);
  problem.groups = 4;
  const MatmulPlan plan = planMatmul(toyMachine(), problem);
  EXPECT_EQ(plan.partition.conv_groups, 4U);
  EXPECT_EQ(plan.partition.tiles(), 4U);
}

TEST(PlanMatmul, StaysWithinTheMemoryBoundByLooping) {
  MatmulProblem problem = floats(1024, 1024, 1024);
  problem.available_memory_proportion = 0.05;
  const MatmulPlan tight = planMatmul(gc200Sdk(), problem);
  EXPECT_EQ(tight.bound, planMemoryBound(gc200Sdk(), 0.05));
  EXPECT_LE(tight.temp, tight.bound);
  EXPECT_GT(tight.partition.steps(), 1U);
  EXPECT_GT(tight.cycles, planMatmul(gc200Sdk(), floats(1024, 1024, 1024)).cycles);
}

TEST(PlanMatmul, LoopsOverInChansWhereOnlyTheResultIsSmall) {
  const MatmulPlan plan = planMatmul(toyMachine(), floats(8, 96000, 6));
  EXPECT_LE(plan.temp, planMemoryBound(toyMachine(), 0.6));
  EXPECT_GT(plan.partition.in_chans_serial, 1U);
  EXPECT_EQ(plan.pass_cycles, plan.terms.total(plan.partition.in_chans_serial));
}

TEST(PlanMatmul, RoundsTheMemoryBoundDown) {
  EXPECT_EQ(planMemoryBound(gc200Sdk(), 0.6), Bytes(383385));  // 0.6 * 638,976 = 383,385.6
}

TEST(PlanMatmul, DoublesABoundThatNothingFits) {
  MatmulProblem problem = floats(64, 64, 64);
  problem.available_memory_proportion = 1e-3;
  const MatmulPlan plan = planMatmul(toyMachine(), problem);
  const std::uint64_t first = 65;  // of 65,536
  EXPECT_EQ(plan.bound.value() % first, 0U);
  EXPECT_LE(plan.temp, plan.bound);
  EXPECT_GT(plan.bound.value(), first);
}

TEST(PlanMatmul, DoublesABoundUpToTwoTiles) {
  // 304 * 304 floats are 90 KiB a tile, and one operand at least stays; whole groups of 8 channels
  // need no rearranging.
  MatmulProblem problem = floats(304, 304, 304);
  problem.available_memory_proportion = 1;
  EXPECT_EQ(planMatmul(toyMachine(), problem).bound, 128_KiB);
}

TEST(PlanMatmul, DropsABoundThatTwoTilesDoNotMeet) {
  // 4 tiles of 64 KiB; 1024 * 1024 floats of each operand are 1 MiB a tile.
  const MatmulPlan plan = planMatmul(toyMachine(), floats(1024, 1024, 1024));
  EXPECT_EQ(plan.bound, Bytes(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_GT(plan.temp, 128_KiB);
}

TEST(PlanMatmul, TakesTheLeastMemoryWhereNoneIsToBeUsed) {
  MatmulProblem problem = floats(64, 64, 64);
  const Bytes usual = planMatmul(toyMachine(), problem).temp;
  problem.available_memory_proportion = 0;
  EXPECT_LT(planMatmul(toyMachine(), problem).temp, usual);
}

TEST(PlanMatmul, UsesOnlyTheMethodsAllowed) {
  MatmulProblem problem = floats(64, 64, 64);
  problem.methods = MethodSet::only(MatmulMethod::Hmac);
  EXPECT_EQ(planMatmul(toyMachine(), problem).method.kind, MatmulMethod::Hmac);
}

TEST(PlanMatmul, TakesNoSerialStepsWhereNoneAreAllowed) {
  MatmulProblem problem = floats(2048, 2048, 2048);
  problem.serial = SerialSplits::None;
  EXPECT_EQ(planMatmul(gc200Sdk(), problem).partition.steps(), 1U);
}

TEST(PlanMatmul, SharesAPartitionBetweenTrainingPassesWhereThatIsFaster) {
  MatmulProblem forward = floats(4, 1024, 1024);
  MatmulProblem backward = floats(4, 1024, 1024);
  MatmulProblem update = floats(1024, 4, 1024);
  forward.pass = MatmulPass::TrainingFwd;
  backward.pass = MatmulPass::TrainingBwd;
  update.pass = MatmulPass::TrainingWu;
  Cycles sum(0);
  for (const MatmulProblem& pass : {forward, backward, update}) {
    const MatmulPlan plan = planMatmul(gc200Sdk(), pass);
    EXPECT_EQ(plan.training, TrainingPlan::Joint);
    EXPECT_EQ(plan.cycles, planMatmul(gc200Sdk(), forward).cycles);
    sum += plan.pass_cycles;
  }
  EXPECT_EQ(planMatmul(gc200Sdk(), forward).cycles, sum);
}

TEST(PlanMatmul, PlansTrainingPassesSeparatelyWhereThatIsFaster) {
  MatmulProblem problem = floats(1024, 1024, 1024);
  problem.pass = MatmulPass::TrainingFwd;
  const MatmulPlan plan = planMatmul(gc200Sdk(), problem);
  EXPECT_EQ(plan.training, TrainingPlan::Separate);
  EXPECT_EQ(plan.cycles, plan.pass_cycles);
}

TEST(PlanMatmul, SaysWhatItCannotPlan) {
  const auto error_of = [](const MatmulProblem& problem) {
    return configErrorOf([&] { planMatmul(toyMachine(), problem); });
  };
  EXPECT_THAT(error_of(floats(0, 1, 1)), HasSubstr("at least 1"));
  EXPECT_THAT(error_of(floats(1U << 20, 1U << 20, 1U << 20)), HasSubstr("too large"));
  MatmulProblem problem = floats(8, 8, 8);
  problem.partials = ElementType::Half;
  EXPECT_THAT(error_of(problem), HasSubstr("float partials"));
  problem.partials = ElementType::Int32;
  EXPECT_THAT(error_of(problem), HasSubstr("half or float"));
  problem = floats(8, 8, 8);
  problem.methods.bits = 0;
  EXPECT_THAT(error_of(problem), HasSubstr("methods"));
  problem = floats(8, 8, 8);
  problem.available_memory_proportion = -1;
  EXPECT_THAT(error_of(problem), HasSubstr("proportion"));
}

TEST(GrainsOfPart, GiveTheLastPartsOneMore) {
  // 11 grains in 4 parts: 2, 3, 3, 3.
  std::uint64_t next = 0;
  for (std::uint32_t part = 0; part < 4; ++part) {
    const GrainRange range = grainsOfPart(11, 4, part);
    EXPECT_EQ(range.first, next);
    EXPECT_EQ(range.count, part == 0 ? 2U : 3U);
    next += range.count;
  }
  EXPECT_EQ(next, 11U);
}

}  // namespace
}  // namespace ipusim::workloads
