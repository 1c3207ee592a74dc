// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <string>

#include "tests/conv_planner/products.h"
#include "tests/support/thrown.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::gc200Sdk;
using models::toyMachine;
using testing::HasSubstr;

MatmulProblem floats(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return productIn(ConvPass::NoneMatmul, m, k, n);
}

TEST(PlanMatmul, SpreadsASquareOverNearlyAllTiles) {
  const MatmulPlan plan = planMatmul(gc200Sdk(), floats(1024, 1024, 1024));
  EXPECT_EQ(plan.conv.vertex.method, ConvMethod::Amp);
  EXPECT_EQ(plan.order, OperandOrder::Swapped);
  EXPECT_GT(plan.conv.partition.tiles(), 1400U);
  EXPECT_LE(plan.conv.partition.tiles(), 1472U);
  EXPECT_EQ(plan.conv.pass_cycles, plan.conv.terms.total(1));
  EXPECT_EQ(plan.conv.cycles, plan.conv.pass_cycles);
}

TEST(PlanMatmul, LeavesNoSwapToDoInTheConvolution) {
  // 65 rows would be out channels of 9 groups of 8, and are 65 positions of a field.
  const MatmulPlan plan = planMatmul(toyMachine(), floats(65, 64, 64));
  EXPECT_EQ(plan.order, OperandOrder::AsGiven);
  EXPECT_FALSE(plan.conv.transforms.swap);
  EXPECT_EQ(plan.conv.params.out_chans, 64U);
  EXPECT_EQ(plan.conv.params.dims.front().field, 65U);
  EXPECT_TRUE(plan.conv.transformed ==
              transformedConv(plan.conv.params, plan.conv.transforms).params);
}

TEST(PlanMatmul, PutsSmallGroupsOnTilesOfTheirOwn) {
  MatmulProblem problem = floats(16, 16, 16);
  problem.groups = 4;
  const MatmulPlan plan = planMatmul(toyMachine(), problem);
  EXPECT_EQ(plan.conv.partition.conv_groups, 4U);
  EXPECT_EQ(plan.conv.partition.tiles(), 4U);
}

TEST(PlanMatmul, StaysWithinTheMemoryBoundByLooping) {
  MatmulProblem problem = floats(1024, 1024, 1024);
  problem.available_memory_proportion = 0.05;
  const MatmulPlan tight = planMatmul(gc200Sdk(), problem);
  EXPECT_EQ(tight.conv.bound, planMemoryBound(gc200Sdk(), 0.05));
  EXPECT_LE(tight.conv.temp, tight.conv.bound);
  EXPECT_GT(tight.conv.partition.steps(), 1U);
  EXPECT_GT(tight.conv.cycles, planMatmul(gc200Sdk(), floats(1024, 1024, 1024)).conv.cycles);
}

TEST(PlanMatmul, LoopsOverInChansWhereOnlyTheResultIsSmall) {
  const MatmulPlan plan = planMatmul(toyMachine(), floats(8, 96000, 6));
  EXPECT_LE(plan.conv.temp, planMemoryBound(toyMachine(), 0.6));
  EXPECT_GT(plan.conv.partition.in_chans_serial, 1U);
  EXPECT_EQ(plan.conv.pass_cycles, plan.conv.terms.total(plan.conv.partition.in_chans_serial));
}

TEST(PlanMatmul, RoundsTheMemoryBoundDown) {
  EXPECT_EQ(planMemoryBound(gc200Sdk(), 0.6), Bytes(383385));  // 0.6 * 638,976 = 383,385.6
}

TEST(PlanMatmul, DoublesABoundThatNothingFits) {
  MatmulProblem problem = floats(64, 64, 64);
  problem.available_memory_proportion = 1e-3;
  const MatmulPlan plan = planMatmul(toyMachine(), problem);
  const std::uint64_t first = 65;  // of 65,536
  EXPECT_EQ(plan.conv.bound.value() % first, 0U);
  EXPECT_LE(plan.conv.temp, plan.conv.bound);
  EXPECT_GT(plan.conv.bound.value(), first);
}

TEST(PlanMatmul, DoublesABoundUpToTwoTiles) {
  // 304 * 304 floats are 90 KiB per tile, and one operand at least stays; whole groups of 8
  // channels need no rearranging.
  MatmulProblem problem = floats(304, 304, 304);
  problem.available_memory_proportion = 1;
  EXPECT_EQ(planMatmul(toyMachine(), problem).conv.bound, 128_KiB);
}

TEST(PlanMatmul, DropsABoundThatTwoTilesDoNotMeet) {
  // 4 tiles of 64 KiB; 1024 * 1024 floats of each operand are 1 MiB per tile.
  const MatmulPlan plan = planMatmul(toyMachine(), floats(1024, 1024, 1024));
  EXPECT_EQ(plan.conv.bound, Bytes(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_GT(plan.conv.temp, 128_KiB);
}

TEST(PlanMatmul, DoublesABoundBelowTwoTilesBeyondThem) {
  // One and a half tiles of 64 KiB are doubled once; 300 in channels are rearranged into 304.
  MatmulProblem problem = floats(300, 300, 300);
  problem.available_memory_proportion = 1.5;
  EXPECT_EQ(planMatmul(toyMachine(), problem).conv.bound, 192_KiB);
}

/// CPU seconds of this process.
double secondsOf(const MatmulProblem& problem) {
  const std::clock_t begin = std::clock();
  planMatmul(gc200Sdk(), problem);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(PlanMatmul, EndsForEveryShareOfTheMemory) {
  for (const double proportion : {5e-324, 1e-300, 1e-9, 1e-6, 2e-6, 1e-5, 1e-3, 2.0}) {
    for (const MatmulProblem& sizes : {floats(64, 64, 64), floats(2048, 2048, 2048)}) {
      MatmulProblem problem = sizes;
      problem.available_memory_proportion = proportion;
      EXPECT_LT(secondsOf(problem), 10) << proportion;
    }
  }
}

TEST(PlanMatmul, DoublesABoundFromOneByteOn) {
  MatmulProblem problem = floats(64, 64, 64);
  problem.available_memory_proportion = 1e-9;
  const MatmulPlan plan = planMatmul(gc200Sdk(), problem);
  EXPECT_LE(plan.conv.temp, plan.conv.bound);
  EXPECT_LT(plan.conv.bound, plan.conv.temp * 2);
  problem.available_memory_proportion = 0;
  EXPECT_LE(planMatmul(gc200Sdk(), problem).conv.temp, plan.conv.temp);
}

TEST(PlanMatmul, EndsForTheLargestProducts) {
  constexpr std::uint64_t kMost = kMaxConvDimension;
  for (const MatmulProblem& problem :
       {floats(kMost, 1, 1), floats(1, kMost, 1), floats(1, 1, kMost), floats(kMost - 3, 10'007, 1),
        floats(kMost, 1, kMost - 3), floats(1, 1'048'573, 65'521), floats(16'411, 16'411, 16'411),
        floats(524'288, 524'287, 1'048'573)}) {
    EXPECT_LT(secondsOf(problem), 20) << problem.m << ' ' << problem.k << ' ' << problem.n;
  }
}

TEST(PlanMatmul, LoopsOverAPrimeNumberOfChannels) {
  const MatmulPlan plan = planMatmul(gc200Sdk(), floats(2039, 2039, 2039));
  EXPECT_EQ(plan.conv.vertex.method, ConvMethod::Amp);
  EXPECT_EQ(plan.conv.partition.out_chans_serial, 2U);
  EXPECT_EQ(plan.conv.cycles, 585805_cycles);  // as the published planner
}

TEST(PlanMatmul, CostsNeighboursAboutTheSame) {
  const Cycles round = planMatmul(gc200Sdk(), floats(2048, 2048, 2048)).conv.cycles;
  EXPECT_LT(planMatmul(gc200Sdk(), floats(2047, 2047, 2047)).conv.cycles * 10, round * 11);
  EXPECT_LT(planMatmul(gc200Sdk(), floats(2049, 2049, 2049)).conv.cycles * 10, round * 13);
}

TEST(PlanMatmul, TakesTheLeastMemoryWhereNoneIsToBeUsed) {
  MatmulProblem problem = floats(64, 64, 64);
  const Bytes usual = planMatmul(toyMachine(), problem).conv.temp;
  problem.available_memory_proportion = 0;
  EXPECT_LT(planMatmul(toyMachine(), problem).conv.temp, usual);
}

TEST(PlanMatmul, UsesOnlyTheMethodsAllowed) {
  MatmulProblem problem = floats(64, 64, 64);
  problem.method = ConvMethod::Hmac;
  EXPECT_EQ(planMatmul(toyMachine(), problem).conv.vertex.method, ConvMethod::Hmac);
}

TEST(PlanMatmul, TakesNoSerialStepsWhereNoneAreAllowed) {
  MatmulProblem problem = floats(2048, 2048, 2048);
  problem.serial = SerialSplits::None;
  EXPECT_EQ(planMatmul(gc200Sdk(), problem).conv.partition.steps(), 1U);
}

TEST(PlanMatmul, SharesAPartitionBetweenTrainingPassesWhereThatIsFaster) {
  MatmulProblem forward = floats(4, 1024, 1024);
  MatmulProblem backward = floats(4, 1024, 1024);
  MatmulProblem update = floats(1024, 4, 1024);
  forward.pass = ConvPass::FcTrainingFwd;
  backward.pass = ConvPass::FcTrainingBwd;
  update.pass = ConvPass::FcTrainingWu;
  Cycles sum(0);
  for (const MatmulProblem& pass : {forward, backward, update}) {
    const MatmulPlan plan = planMatmul(gc200Sdk(), pass);
    EXPECT_EQ(plan.conv.training, TrainingPlan::Joint);
    EXPECT_EQ(plan.conv.cycles, planMatmul(gc200Sdk(), forward).conv.cycles);
    sum += plan.conv.pass_cycles;
  }
  EXPECT_EQ(planMatmul(gc200Sdk(), forward).conv.cycles, sum);
}

TEST(PlanMatmul, PlansTrainingPassesSeparatelyWhereThatIsFaster) {
  MatmulProblem problem = floats(1024, 1024, 1024);
  problem.pass = ConvPass::FcTrainingFwd;
  const MatmulPlan plan = planMatmul(gc200Sdk(), problem);
  EXPECT_EQ(plan.conv.training, TrainingPlan::Separate);
  EXPECT_EQ(plan.conv.cycles, plan.conv.pass_cycles);
}

/// The error for a plan on the toy machine.
std::string errorOfProduct(const MatmulProblem& problem) {
  return configErrorOf([&] { planMatmul(toyMachine(), problem); });
}

TEST(PlanMatmul, SaysWhichSizesItCannotPlan) {
  EXPECT_THAT(errorOfProduct(floats(0, 1, 1)),
              HasSubstr("matmul: wanted sizes from 1 to 16777216, found 0"));
  EXPECT_THAT(errorOfProduct(floats(std::uint64_t{1} << 40U, 1, 1)),
              HasSubstr("found 1099511627776"));
  EXPECT_THAT(errorOfProduct(floats(1U << 20, 1U << 20, 1U << 20)),
              HasSubstr("matmul: wanted at most 1e+18 elements and multiply-adds, found 1.15e+18"));
}

TEST(PlanMatmul, SaysWhatItCannotPlan) {
  MatmulProblem problem = floats(8, 8, 8);
  problem.output = problem.partials = ElementType::Half;
  EXPECT_THAT(errorOfProduct(problem), HasSubstr("matmul: wanted partials of float"));
  problem.partials = ElementType::Int32;
  EXPECT_THAT(errorOfProduct(problem), HasSubstr("matmul: wanted types half or float"));
  problem = floats(8, 8, 8);
  problem.method = ConvMethod::Vmac;
  EXPECT_THAT(errorOfProduct(problem),
              HasSubstr("matmul: wanted a method that can compute it, found VMAC for float data"));
  problem = floats(8, 8, 8);
  for (const double proportion : {-1.0, 2.1, 1e300, std::nan("")}) {
    problem.available_memory_proportion = proportion;
    EXPECT_THAT(errorOfProduct(problem),
                HasSubstr("matmul: wanted an available memory proportion"));
  }
}

TEST(PlanMatmul, PartialsAreAsPreciseAsTheResult) {
  MatmulProblem problem = floats(8, 8, 8);
  problem.partials = ElementType::Half;
  EXPECT_EQ(planMatmul(toyMachine(), problem).conv.vertex.partials, ElementType::Float);
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
