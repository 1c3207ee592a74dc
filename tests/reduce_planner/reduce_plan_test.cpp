// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/reduce_planner/planner_machines.h"
#include "workloads/ops/reduce/planner/plan.h"

namespace ipusim::workloads {
namespace {

using models::ReduceOp;

/// A row of `columns` columns on each of `tiles` tiles.
std::vector<HeldRows> rowOnEach(std::uint32_t tiles, std::uint64_t columns) {
  std::vector<HeldRows> held;
  for (std::uint32_t t = 0; t < tiles; ++t) held.push_back({TileId(t), 0, columns});
  return held;
}

TEST(ReduceTypes, ArePartialsOfFloatsForSumsOfHalves) {
  EXPECT_EQ(partialsTypeOf(ReduceOp::Add, kHalf), kFloat);
  EXPECT_EQ(partialsTypeOf(ReduceOp::SquareAdd, kHalf), kFloat);
  EXPECT_EQ(partialsTypeOf(ReduceOp::LogAdd, kHalf), kFloat);
  EXPECT_EQ(partialsTypeOf(ReduceOp::Multiply, kHalf), kFloat);
  EXPECT_EQ(partialsTypeOf(ReduceOp::Maximum, kHalf), kHalf);
  EXPECT_EQ(partialsTypeOf(ReduceOp::Minimum, kFloat), kFloat);
}

TEST(ReduceTypes, AreNeverSmallerThanTheOutput) {
  ReduceProblem problem =
      reduceProblem(ReduceOp::Add, kHalf, kFloat, {{TileId(0), 0, 4, 1, 2, 4}, {TileId(1), 0, 4}});
  problem.in_vertex = kHalf;
  const ReducePlan plan = planReduce(withTiles(4), problem);
  EXPECT_EQ(plan.on_tile->stage.output, kFloat);
  EXPECT_EQ(plan.final.stage.in_vertex, kFloat);
}

TEST(ReducePlan, OfOneRowHasNothingToReduce) {
  const ReduceProblem problem =
      reduceProblem(ReduceOp::Add, kFloat, kFloat, {{TileId(0), 0, 4}, {TileId(1), 4, 8}});
  EXPECT_EQ(planReduce(withTiles(4), problem).form, ReduceForm::NoRows);
}

TEST(ReducePlan, OfColumnsOnOneTileEachStaysThere) {
  const ReduceProblem problem = reduceProblem(
      ReduceOp::Add, kFloat, kFloat, {{TileId(2), 0, 4, 1, 2, 4}, {TileId(1), 4, 8, 1, 3, 4}});
  const ReducePlan plan = planReduce(withTiles(4), problem);
  EXPECT_EQ(plan.form, ReduceForm::OnTile);
  EXPECT_EQ(plan.final.place, FinalPlace::AtColumns);
  ASSERT_EQ(plan.final.reduced.size(), 2U);
  EXPECT_EQ(plan.final.reduced[0].tile, TileId(2));
  EXPECT_TRUE(plan.final.result.empty());
}

TEST(ReducePlan, MapsLoneHalvesLinearly) {
  std::vector<HeldRows> held{{TileId(2), 0, 1, 2}, {TileId(1), 1, 2, 2}};
  ReducePlan plan = planReduce(withTiles(4), reduceProblem(ReduceOp::Maximum, kHalf, kHalf, held));
  EXPECT_EQ(plan.final.result.size(), 1U);
  EXPECT_EQ(plan.final.result.front().end, 2U);
  plan = planReduce(withTiles(4), reduceProblem(ReduceOp::Maximum, kFloat, kFloat, held));
  EXPECT_TRUE(plan.final.result.empty());
}

TEST(ReducePlan, ReducesOnTheTileWhereItHasTwoRowsOfAColumn) {
  std::vector<HeldRows> held = rowOnEach(4, 8);
  const Machine machine = withTiles(4);
  EXPECT_FALSE(planReduce(machine, reduceProblem(ReduceOp::Add, kFloat, kFloat, held)).on_tile);
  held.push_back({TileId(3), 6, 8});
  const auto plan = planReduce(machine, reduceProblem(ReduceOp::Add, kHalf, kHalf, held));
  ASSERT_TRUE(plan.on_tile);
  EXPECT_EQ(plan.on_tile->stage.partials, kHalf);
  EXPECT_EQ(plan.on_tile->stage.output, kFloat);
  EXPECT_EQ(plan.final.stage.partials, kFloat);
  EXPECT_EQ(plan.final.stage.output, kHalf);
}

TEST(ReducePlan, TakesSquaresOnceAndUpdatesLast) {
  ReduceProblem problem = reduceProblem(ReduceOp::SquareAdd, kFloat, kFloat, rowOnEach(65, 1));
  problem.into = models::ReduceInto::Update;
  const ReducePlan plan = planReduce(models::gc200Sdk(), problem);
  ASSERT_EQ(plan.intermediate.size(), 1U);
  EXPECT_EQ(plan.intermediate[0].stage.op, ReduceOp::SquareAdd);
  EXPECT_EQ(plan.intermediate[0].stage.into, models::ReduceInto::Fresh);
  EXPECT_EQ(plan.final.stage.op, ReduceOp::Add);
  EXPECT_EQ(plan.final.stage.into, models::ReduceInto::Update);
}

TEST(ReducePlan, CastsLoneHalvesOfSumsBeforeTheyAreSent) {
  const Machine machine = withTiles(4);
  const auto castsFirst = [&](ReduceOp op, std::vector<HeldRows> held) {
    return planReduce(machine, reduceProblem(op, kHalf, kHalf, std::move(held))).final.casts_first;
  };
  EXPECT_FALSE(castsFirst(ReduceOp::Add, rowOnEach(2, 8)));
  EXPECT_TRUE(castsFirst(ReduceOp::Add, {{TileId(0), 0, 8}, {TileId(1), 0, 7}, {TileId(2), 7, 8}}));
  EXPECT_TRUE(castsFirst(ReduceOp::Add, rowOnEach(2, 1)));
  EXPECT_FALSE(castsFirst(ReduceOp::Maximum, rowOnEach(2, 1)));
}

TEST(ReducePlan, GivesConsecutiveStagesTheNextTiles) {
  ReduceProblem problem = reduceProblem(ReduceOp::Add, kFloat, kFloat, rowOnEach(1472, 16));
  problem.first_tile = 1400;
  const ReducePlan plan = planReduce(models::gc200Sdk(), problem);
  ASSERT_EQ(plan.intermediate.size(), 2U);
  const auto& first = plan.intermediate[0].reductions;
  EXPECT_EQ(first.front().tile, TileId(1400));
  EXPECT_EQ(plan.intermediate[1].reductions.front().tile.tile(),
            (first.back().tile.tile() + 1) % 1472);
}

}  // namespace
}  // namespace ipusim::workloads
