// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/tile_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reduce_planner/planner_machines.h"
#include "workloads/ops/reduce/planner/stage_work.h"
#include "workloads/ops/reduce/planner/vertex_choice.h"

namespace ipusim::workloads {
namespace {

using models::ReduceOp;
using testing::ElementsAre;

TileWork workOn(const std::vector<ColumnPattern>& patterns, ElementType type = kFloat) {
  const ReduceStage stage{ReduceOp::Add, type, type};
  return planTileWork(models::toyMachine(), {stage, PartialsIn::Place, patterns});
}

/// The columns of each worker's only part.
std::vector<std::uint64_t> columnsOf(const TileStep& step) {
  std::vector<std::uint64_t> columns;
  for (const auto& vertices : step.workers) {
    columns.push_back(vertices.front().parts.front().columns());
  }
  return columns;
}

/// The rows of each worker's only part.
std::vector<std::uint64_t> rowsOf(const TileStep& step) {
  std::vector<std::uint64_t> rows;
  for (const auto& vertices : step.workers) rows.push_back(vertices.front().parts.front().rows());
  return rows;
}

TEST(TileWork, CutsColumnsInGrains) {
  const TileWork work = workOn({{26, 1, 5, 26}});
  EXPECT_THAT(columnsOf(work.first), ElementsAre(4U, 8U, 8U, 6U));  // 7 grains, two at most
  EXPECT_TRUE(work.second.workers.empty());
}

TEST(TileWork, CutsColumnsForTheWorkersOfAQuota) {
  const ReduceStage stage{ReduceOp::Add, kFloat, kFloat};
  const TileWork work =
      planTileWork(models::toyMachine(), {stage, PartialsIn::Place, {{26, 1, 5, 26}}, 2});
  EXPECT_THAT(columnsOf(work.first), ElementsAre(12U, 14U));
}

TEST(TileWork, DealsColumnsOfRunsInBlocks) {
  const TileWork work = workOn({{13, 5, 1, 65}});
  EXPECT_THAT(columnsOf(work.first), ElementsAre(2U, 3U, 2U, 3U, 3U));
  EXPECT_EQ(work.first.workers.front().front().form, ReduceVertexForm::Continuous);
  EXPECT_TRUE(work.second.workers.empty());
}

TEST(TileWork, ReducesOuterRepeatsOfRunsFirst) {
  // 4 columns of 3 elements are 12 columns, two for each worker.
  const TileWork work = workOn({{4, 3, 5, 12}});
  EXPECT_THAT(columnsOf(work.first), ElementsAre(2U, 2U, 2U, 2U, 2U, 2U));
  EXPECT_EQ(work.first.workers.front().front().form, ReduceVertexForm::Strided);
  EXPECT_THAT(columnsOf(work.second), ElementsAre(1U, 1U, 1U, 1U));
  EXPECT_THAT(rowsOf(work.second), ElementsAre(3U, 3U, 3U, 3U));
}

TEST(TileWork, LeavesColumnsWholeWhoseRunsDoNotFillTheDataPath) {
  EXPECT_THAT(columnsOf(workOn({{3, 3, 5, 9}}).first), ElementsAre(9U));
}

TEST(TileWork, ReadsSeveralRowsOfAFewColumnsAsOne) {
  // Two rows of three floats are six columns. Five and four of the nine rows of two are for each of
  // two workers.
  const TileWork work = workOn({{3, 1, 18, 3}});
  EXPECT_THAT(columnsOf(work.first), ElementsAre(6U, 6U));
  EXPECT_THAT(rowsOf(work.first), ElementsAre(5U, 4U));
  EXPECT_THAT(columnsOf(work.second), ElementsAre(3U));
  EXPECT_THAT(rowsOf(work.second), ElementsAre(4U));
}

TEST(TileWork, WidensTwoHalvesToFourAndThreeToTwelve) {
  EXPECT_THAT(columnsOf(workOn({{2, 1, 8, 2}}, kHalf).first), ElementsAre(4U));
  EXPECT_THAT(columnsOf(workOn({{3, 1, 8, 3}}, kHalf).first), ElementsAre(12U));
  // Rows that do not divide, or are apart, are read one by one.
  EXPECT_THAT(columnsOf(workOn({{3, 1, 9, 3}}, kHalf).first), ElementsAre(3U));
  EXPECT_THAT(columnsOf(workOn({{3, 1, 8, 4}}, kHalf).first), ElementsAre(3U));
  EXPECT_THAT(columnsOf(workOn({{2, 1, 8, 2}}).first), ElementsAre(2U));
}

TEST(TileWork, SplitsRowsOverFreeWorkers) {
  const TileWork work = workOn({{4, 1, 1000, 4}});
  EXPECT_THAT(rowsOf(work.first), ElementsAre(167U, 167U, 167U, 167U, 167U, 165U));
  EXPECT_THAT(rowsOf(work.second), ElementsAre(6U));
  EXPECT_EQ(work.between.size(), 1U);
}

TEST(TileWork, MakesNoMorePiecesThanTheLargestNeeds) {
  // Six workers would have ceil(8 / 6) = 2 rows at most, as four have.
  const TileWork work = workOn({{1000, 1, 8, 1000}});
  EXPECT_EQ(work.second.workers.size(), 0U);  // a thousand columns are cut for all six
  EXPECT_THAT(rowsOf(workOn({{1, 2000, 8, 2001}}).first), ElementsAre(4000U, 4000U, 4000U, 4000U));
}

TEST(TileWork, LeavesASingleOutputOfAFewPartialsToOneWorker) {
  const TileWork work = workOn({{1, 1, 100, 1}});
  ASSERT_EQ(work.first.workers.size(), 1U);
  EXPECT_EQ(work.first.workers.front().front().form, ReduceVertexForm::SingleInput);
  EXPECT_TRUE(work.second.workers.empty());
}

TEST(TileWork, TakesSquaresInTheFirstStepAlone) {
  const ReduceStage stage{ReduceOp::SquareAdd, kHalf, kHalf, models::ReduceInto::Update};
  const TileWork work =
      planTileWork(models::toyMachine(), {stage, PartialsIn::Place, {{1, 4000, 1, 4000}}});
  const auto& first = work.first.workers.front().front().kind;
  const auto& second = work.second.workers.front().front().kind;
  EXPECT_EQ(first.op, ReduceOp::SquareAdd);
  EXPECT_EQ(first.output, kFloat);
  EXPECT_EQ(first.into, models::ReduceInto::Fresh);
  EXPECT_EQ(second.op, ReduceOp::Add);
  EXPECT_EQ(second.partials, kFloat);
  EXPECT_EQ(second.output, kHalf);
  EXPECT_EQ(second.into, models::ReduceInto::Update);
}

TEST(TileWorkCycles, AreSixTimesTheBusiestWorkerOfEachStep) {
  const Machine& machine = models::toyMachine();
  const TileWork work = workOn({{26, 1, 5, 26}});
  const models::ReduceKind kind{ReduceOp::Add, kFloat, kFloat};
  EXPECT_EQ(tileWorkCycles(machine, work),
            6 * models::stridedReduceCycles(machine, {kind, 5, 8, 26}));
}

TEST(FinalShares, AreOneBlockForColumnsInWholeGrainsOfOneDepth) {
  const ReduceProblem problem = reduceProblem(
      ReduceOp::Add, kFloat, kFloat, {{TileId(0), 0, 24}, {TileId(1), 0, 24}, {TileId(2), 16, 24}});
  FinalStage stage;
  stage.stage = {ReduceOp::Add, kFloat, kFloat};
  stage.sources = PartialColumns(problem.held);
  stage.reduced = {{TileId(3), 0, 4}, {TileId(3), 8, 16}, {TileId(2), 4, 6}, {TileId(1), 12, 24}};
  const auto shares = finalShares(models::toyMachine(), problem, stage);
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_EQ(shares[0].reduction.patterns.size(), 2U);  // two depths
  EXPECT_EQ(shares[1].reduction.patterns.size(), 1U);  // half a grain
  ASSERT_EQ(shares[2].reduction.patterns.size(), 1U);
  EXPECT_EQ(shares[2].reduction.patterns[0].columns, 12U);
  EXPECT_EQ(shares[2].columns[0].size(), 2U);
}

TEST(StageCycles, AreOneForEachStageWithAnExchangeForPartialsThatAreSent) {
  ReduceProblem problem = reduceProblem(ReduceOp::Add, kFloat, kFloat,
                                        {{TileId(0), 0, 8, 1, 2, 8}, {TileId(1), 0, 8, 1, 2, 8}});
  const auto cycles =
      reduceStageCycles(models::toyMachine(), problem, planReduce(models::toyMachine(), problem));
  ASSERT_EQ(cycles.size(), 2U);
  EXPECT_EQ(cycles[0].exchange, Cycles(0));
  EXPECT_EQ(cycles[1].exchange, Cycles(16 + 10));  // 16 floats and a sync
}

}  // namespace
}  // namespace ipusim::workloads
