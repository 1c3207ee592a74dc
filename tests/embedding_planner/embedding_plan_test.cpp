// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/gather/planner/plan.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::gc200Sdk;
using testing::HasSubstr;

EmbeddingProblem tableOf(std::uint64_t rows, std::uint64_t columns, std::uint64_t indices,
                         TableUse use) {
  EmbeddingProblem problem;
  problem.rows = rows;
  problem.columns = columns;
  problem.indices = indices;
  problem.use = use;
  return problem;
}

EmbeddingPlan planned(const EmbeddingProblem& problem) {
  return planEmbedding(gc200Sdk(), problem);
}

std::uint64_t grainOfRow(ElementType type, std::uint64_t columns) {
  EmbeddingProblem problem = tableOf(100, columns, 50, TableUse::Slice);
  problem.type = type;
  return planned(problem).grain;
}

TEST(PlanEmbedding, SumsItsTerms) {
  const EmbeddingPlan plan = planned(tableOf(4096, 64, 2048, TableUse::SliceAndUpdate));
  EXPECT_EQ(plan.cycles, plan.terms.total(plan.splits.serial));
  EXPECT_EQ(plan.temp, plan.terms.temp());
  EXPECT_LE(plan.temp, plan.bound);
  EXPECT_LE(plan.splits.tiles(), 1472U);
}

TEST(PlanEmbedding, KeepsAVectorTogether) {
  EXPECT_EQ(grainOfRow(ElementType::Float, 64), 2U);
  EXPECT_EQ(grainOfRow(ElementType::Half, 64), 4U);
  EXPECT_EQ(grainOfRow(ElementType::Half, 3), 3U);
  EXPECT_EQ(grainOfRow(ElementType::Float, 1), 1U);
  EXPECT_EQ(grainOfRow(ElementType::Quarter, 64), 8U);
}

TEST(PlanEmbedding, SplitsTheRowsOfALargeTableWithFewIndices) {
  const EmbeddingPlan plan = planned(tableOf(100'000, 16, 32, TableUse::Slice));
  EXPECT_GT(plan.splits.rows, 1U);
  EXPECT_GT(plan.terms.slice.candidate_look_up, 0_cycles);
}

TEST(PlanEmbedding, SplitsManyIndicesIntoASmallTable) {
  const EmbeddingPlan plan = planned(tableOf(64, 16, 100'000, TableUse::Slice));
  EXPECT_EQ(plan.splits.rows, 1U);
  EXPECT_GT(plan.splits.look_ups, 100U);
}

TEST(PlanEmbedding, UpdatesManyRowsInPartialTables) {
  const EmbeddingPlan small = planned(tableOf(64, 16, 100'000, TableUse::Update));
  EXPECT_GT(small.terms.update.reduce, 0_cycles);
  const EmbeddingPlan large = planned(tableOf(100'000, 64, 64, TableUse::Update));
  EXPECT_EQ(large.splits.look_ups, 1U);
  EXPECT_EQ(large.terms.update.reduce, 0_cycles);
}

TEST(PlanEmbedding, ReplacesRowsAtOnce) {
  EmbeddingProblem problem = tableOf(64, 16, 100'000, TableUse::Update);
  problem.update = RowUpdate::Replace;
  const EmbeddingPlan plan = planned(problem);
  EXPECT_EQ(plan.splits.serial, 1U);
  EXPECT_EQ(plan.splits.look_ups, 1U);
}

TEST(PlanEmbedding, GivesGroupsTilesOfTheirOwn) {
  Architecture quarter = gc200Sdk();
  quarter.tiles /= 4;
  EmbeddingProblem problem = tableOf(1000, 32, 500, TableUse::SliceAndUpdate);
  const EmbeddingPlan one = planEmbedding(quarter, problem);
  problem.groups = 4;
  problem.fixed.groups = 4;
  const EmbeddingPlan four = planned(problem);
  EXPECT_EQ(four.splits.groups, 4U);
  EXPECT_EQ(four.cycles, one.cycles);
  problem.fixed.groups = {};
  EXPECT_LE(planned(problem).cycles, four.cycles);
}

TEST(PlanEmbedding, TakesStepsToStayWithinTheMemoryBound) {
  EmbeddingProblem problem = tableOf(2000, 32, 3000, TableUse::Slice);
  const EmbeddingPlan roomy = planned(problem);
  problem.available_memory_proportion = 0.002;
  const EmbeddingPlan tight = planned(problem);
  EXPECT_EQ(tight.bound, 1277_B);
  EXPECT_LE(tight.temp, tight.bound);
  EXPECT_TRUE(tight.isLimited());
  EXPECT_GT(tight.splits.serial, 1U);
  EXPECT_GT(tight.cycles, roomy.cycles);
}

TEST(PlanEmbedding, PlansAMillionRowsAndManyIndices) {
  const EmbeddingPlan plan = planned(tableOf(1'000'000, 128, 100'000, TableUse::SliceAndUpdate));
  EXPECT_TRUE(plan.isLimited());
  EXPECT_LE(plan.temp, plan.bound);
  EXPECT_EQ(plan.cycles, plan.terms.total(plan.splits.serial));
}

TEST(PlanEmbedding, DropsABoundThatNoPlanStaysWithin) {
  EmbeddingProblem problem = tableOf(2000, 32, 3000, TableUse::SliceAndUpdate);
  problem.available_memory_proportion = 0;
  const EmbeddingPlan unbound = planned(problem);
  EXPECT_FALSE(unbound.isLimited());
  problem.available_memory_proportion = kMaxEmbeddingProportion;
  EXPECT_EQ(unbound.cycles, planned(problem).cycles);
}

TEST(PlanEmbedding, SearchesInSortedIndicesWhereThatIsFaster) {
  EmbeddingProblem problem = tableOf(4096, 64, 4096, TableUse::Update);
  const EmbeddingPlan any = planned(problem);
  EXPECT_EQ(any.vertex_order, IndexOrder::Any);
  problem.order = IndexOrder::Sorted;
  const EmbeddingPlan sorted = planned(problem);
  EXPECT_EQ(sorted.vertex_order, IndexOrder::Sorted);
  EXPECT_LT(sorted.cycles, any.cycles);
  problem.distribution = IndexDistribution::OnePoint;
  EXPECT_EQ(planned(problem).vertex_order, IndexOrder::Any);
}

TEST(PlanEmbedding, KeepsToFixedSplits) {
  EmbeddingProblem problem = tableOf(4096, 64, 4096, TableUse::Slice);
  problem.fixed.rows = 8;
  problem.fixed.columns = 16;
  problem.fixed.look_ups = 4;
  problem.fixed.serial = 2;
  problem.fixed.broadcast = TableBroadcast::BeforeSteps;
  problem.fixed.grain = 1;
  const EmbeddingPlan plan = planned(problem);
  EXPECT_EQ(plan.splits.rows, 8U);
  EXPECT_EQ(plan.splits.columns, 16U);
  EXPECT_EQ(plan.splits.look_ups, 4U);
  EXPECT_EQ(plan.splits.serial, 2U);
  EXPECT_EQ(plan.splits.broadcast, TableBroadcast::BeforeSteps);
  EXPECT_EQ(plan.grain, 1U);
}

TEST(PlanEmbedding, NamesFixedSplitsThatAllowNoPlan) {
  EmbeddingProblem problem = tableOf(10, 4, 10, TableUse::Slice);
  problem.fixed.look_ups = 11;
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("no plan has the splits"));
}

TEST(PlanEmbedding, NamesWhatItCannotPlan) {
  const EmbeddingProblem good = tableOf(10, 4, 10, TableUse::Update);
  EmbeddingProblem problem = good;
  problem.rows = 0;
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("rows: wanted 1 to"));
  problem = good;
  problem.type = ElementType::Quarter;
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("found quarter"));
  problem = good;
  problem.partials = ElementType::Half;
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("found half for float"));
  problem = good;
  problem.available_memory_proportion = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("proportion"));
  problem = good;
  problem.fixed.grain = 5;
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("grain: wanted 1 to 4"));
  problem = tableOf(kMaxEmbeddingSize, kMaxEmbeddingSize, 1, TableUse::Slice);
  EXPECT_THAT(configErrorOf([&] { planned(problem); }), HasSubstr("elements of the table"));
}

}  // namespace
}  // namespace ipusim::workloads
