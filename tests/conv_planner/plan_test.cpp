// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/transforms.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::gc200Sdk;
using models::toyMachine;
using testing::HasSubstr;

/// 3x3 kernels on `field` x `field`, with as many outputs.
ConvProblem square(std::uint64_t field, std::uint64_t in_chans, std::uint64_t out_chans) {
  ConvDim dim;
  dim.field = field;
  dim.kernel = 3;
  dim.input.pad_lower = 1;
  dim.input.pad_upper = 1;
  ConvProblem problem;
  problem.params.in_chans = in_chans;
  problem.params.out_chans = out_chans;
  problem.params.dims = {dim, dim};
  return problem;
}

TEST(PlanConv, TellsAllThatALoweringNeeds) {
  const ConvProblem problem = square(56, 64, 64);
  const ConvPlan plan = planConv(gc200Sdk(), problem);
  EXPECT_TRUE(plan.params == canonicalConv(problem.params));
  EXPECT_TRUE(plan.transformed == transformedConv(plan.params, plan.transforms).params);
  EXPECT_GT(plan.partition.tiles(), 1000U);
  EXPECT_LE(plan.partition.tiles(), 1472U);
  EXPECT_EQ(plan.cycles, plan.terms.total(plan.partition.steps()));
  EXPECT_EQ(plan.temp, plan.terms.temp());
  EXPECT_LE(plan.temp, plan.bound);
}

TEST(PlanConv, StaysWithinTheMemoryBoundByLooping) {
  ConvProblem problem = square(28, 512, 512);
  const Cycles roomy = planConv(gc200Sdk(), problem).cycles;
  problem.available_memory_proportion = 0.02;
  const ConvPlan tight = planConv(gc200Sdk(), problem);
  EXPECT_EQ(tight.bound, 12779_B);
  EXPECT_LE(tight.temp, tight.bound);
  EXPECT_GT(tight.partition.steps(), 1U);
  EXPECT_GT(tight.cycles, roomy);
}

TEST(PlanConv, DoublesABoundUnderWhichNothingFits) {
  ConvProblem problem = square(56, 64, 64);
  problem.available_memory_proportion = 0.0005;
  const ConvPlan plan = planConv(gc200Sdk(), problem);
  EXPECT_EQ(plan.bound, 319_B * 4);
  EXPECT_GT(plan.temp, 319_B * 2);
  EXPECT_LE(plan.temp, plan.bound);
}

TEST(PlanConv, DropsABoundOfTwoTiles) {
  ConvProblem problem = square(512, 64, 64);
  problem.params.batch = 8;
  const ConvPlan plan = planConv(toyMachine(), problem);
  EXPECT_EQ(plan.bound, Bytes(std::numeric_limits<std::uint64_t>::max()));
}

TEST(PlanConv, TakesTheLeastMemoryWhereNoneIsToBeUsed) {
  ConvProblem problem = square(28, 64, 64);
  const ConvPlan usual = planConv(gc200Sdk(), problem);
  problem.available_memory_proportion = 0;
  const ConvPlan least = planConv(gc200Sdk(), problem);
  EXPECT_LT(least.temp, usual.temp);
  EXPECT_GT(least.cycles, usual.cycles);
  EXPECT_EQ(least.bound, Bytes(std::numeric_limits<std::uint64_t>::max()));
}

TEST(PlanConv, GroupsOfOneChannelTakeNoMatrixEngineAlone) {
  ConvProblem problem = square(56, 1, 1);
  problem.params.groups = 128;
  EXPECT_EQ(planConv(gc200Sdk(), problem).vertex.method, ConvMethod::Slic);
}

TEST(PlanConv, AFullyPaddedConvolutionIsPlanned) {
  ConvProblem problem = square(4, 8, 8);
  for (ConvDim& dim : problem.params.dims) dim.input.trunc_lower = dim.field;
  for (ConvDim& dim : problem.params.dims) dim.input.pad_lower = 9;
  EXPECT_GE(planConv(gc200Sdk(), problem).partition.tiles(), 1U);
}

/// The error for a plan of `problem`.
std::string errorFor(const ConvProblem& problem) {
  return configErrorOf([&] { planConv(gc200Sdk(), problem); });
}

TEST(PlanConv, RefusesSizesOutOfRange) {
  ConvProblem problem = square(56, 64, 64);
  problem.params.batch = 0;
  EXPECT_THAT(errorFor(problem), HasSubstr("batch: wanted 1 to 16777216, found 0"));
  problem = square(2, 64, 64);
  problem.params.dims[0].kernel = 9;
  EXPECT_THAT(errorFor(problem), HasSubstr("kernel is larger"));
  problem = square(56, 64, 64);
  problem.params.dims.clear();
  EXPECT_THAT(errorFor(problem), HasSubstr("wanted 1 to 3 field dimensions, found 0"));
  problem = square(56, 64, 64);
  problem.params.dims[1].output.trunc_upper = 60;
  EXPECT_THAT(errorFor(problem), HasSubstr("output is cut off"));
  problem = square(56, 64, 64);
  problem.params.dims[1].input.trunc_upper = 60;
  EXPECT_THAT(errorFor(problem), HasSubstr("more is cut off"));
}

TEST(PlanConv, RefusesTypesAndProportionsOutOfRange) {
  ConvProblem problem = square(56, 64, 64);
  problem.params.input = ElementType::Float;
  EXPECT_THAT(errorFor(problem),
              HasSubstr("wanted partials of float beside inputs of float, found half"));
  problem.params.input = ElementType::Int32;
  EXPECT_THAT(errorFor(problem), HasSubstr("half or float"));
  problem = square(56, 64, 64);
  for (const double proportion : {-1.0, 2.1, std::nan("")}) {
    problem.available_memory_proportion = proportion;
    EXPECT_THAT(errorFor(problem), HasSubstr("convolution: wanted an available memory proportion"));
  }
}

TEST(PlanConv, PartialsAreAsPreciseAsTheOutput) {
  ConvProblem problem = square(56, 64, 64);
  problem.params.output = ElementType::Float;
  EXPECT_EQ(planConv(gc200Sdk(), problem).vertex.partials, ElementType::Float);
}

}  // namespace
}  // namespace ipusim::workloads
