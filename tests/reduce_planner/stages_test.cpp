// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reduce_planner/planner_machines.h"
#include "workloads/ops/reduce/planner/final_stage.h"
#include "workloads/ops/reduce/planner/intermediate_stage.h"

namespace ipusim::workloads {
namespace {

using models::ReduceOp;

TileId tile(std::uint64_t number) {
  return TileId(static_cast<std::uint32_t>(number));
}

/// `blocks` blocks of `width` columns, each with a row on `depth` tiles of its own.
std::vector<HeldRows> blocksOfRows(std::uint64_t blocks, std::uint64_t depth, std::uint64_t width) {
  std::vector<HeldRows> held;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    for (std::uint64_t d = 0; d < depth; ++d) {
      held.push_back({tile(b * depth + d), b * width, (b + 1) * width});
    }
  }
  return held;
}

bool needsStage(std::uint64_t blocks, std::uint64_t depth) {
  return needsIntermediateStage(models::gc200Sdk(), PartialColumns(blocksOfRows(blocks, depth, 8)));
}

TEST(ReductionGrain, IsTwoVectorsForSumsAndOneOtherwise) {
  const Machine& machine = models::toyMachine();
  EXPECT_EQ(reductionGrain(machine, ReduceOp::Add, ElementType::Float), 4U);
  EXPECT_EQ(reductionGrain(machine, ReduceOp::SquareAdd, ElementType::Half), 8U);
  EXPECT_EQ(reductionGrain(machine, ReduceOp::Maximum, ElementType::Float), 2U);
  EXPECT_EQ(reductionGrain(machine, ReduceOp::LogAdd, ElementType::Half), 4U);
}

TEST(IntermediateStage, IsNotNeededForUpTo64PartialsPerColumn) {
  EXPECT_FALSE(needsStage(1, 64));
  EXPECT_TRUE(needsStage(1, 65));
}

TEST(IntermediateStage, IsNotNeededForShallowColumnsOnMostTiles) {
  // 2 sqrt(1472) is 76.7, and three quarters of the tiles are 1104.
  EXPECT_FALSE(needsStage(16, 70));
  EXPECT_TRUE(needsStage(15, 70));
  EXPECT_FALSE(needsStage(15, 76));
  EXPECT_TRUE(needsStage(15, 77));
}

TEST(MergedBands, AreCutOnlyWhereVerticesAre) {
  const Machine& machine = models::toyMachine();
  const auto bands = [&](std::uint64_t border, ElementType type) {
    return mergedBands(machine, PartialColumns({{tile(0), 0, border}, {tile(1), border, 32}}), 8,
                       type)
        .size();
  };
  EXPECT_EQ(bands(16, ElementType::Float), 2U);
  EXPECT_EQ(bands(15, ElementType::Float), 1U);
  EXPECT_EQ(bands(15, ElementType::Half), 2U);  // a float is the smallest store
  EXPECT_EQ(bands(14, ElementType::Half), 1U);
}

TEST(MergedBands, HaveOneDepth) {
  const PartialColumns partials({{tile(0), 0, 6}, {tile(1), 6, 12}, {tile(2), 6, 12}});
  EXPECT_EQ(mergedBands(models::toyMachine(), partials, 4, ElementType::Float).size(), 2U);
}

TEST(RowsPerReduction, SpreadPartialsEvenly) {
  // 100 partials per tile: 8 parts of 100 columns by 8 rows would be one row each.
  EXPECT_EQ(rowsPerReduction(16, 1600, {100, 8}), 2U);
  EXPECT_EQ(rowsPerReduction(16, 3200, {100, 8}), 2U);
  EXPECT_EQ(rowsPerReduction(16, 6400, {100, 8}), 4U);
}

TEST(RowsPerReduction, AreAtLeast64Elements) {
  EXPECT_EQ(rowsPerReduction(1472, 1471, {1, 1471}), 67U);  // 22 parts
  EXPECT_EQ(rowsPerReduction(16, 1, {4, 20}), 20U);
}

TEST(RowsPerReduction, AreAtLeastTwo) {
  EXPECT_EQ(rowsPerReduction(16, 16, {1000, 5}), 3U);  // 2 parts
  EXPECT_EQ(rowsPerReduction(16, 16, {1000, 1}), 2U);
}

TEST(IntermediateReductions, AreDealtToConsecutiveTiles) {
  // 16 columns of 8 partials: parts of 8 columns, and 64 elements in each reduction.
  const Machine machine = withTiles(8);
  const PartialColumns sources(blocksOfRows(1, 8, 16));
  const auto reductions = intermediateReductions(
      machine, {ReduceOp::Add, ElementType::Float, ElementType::Float}, sources, 7);
  ASSERT_EQ(reductions.size(), 2U);
  EXPECT_EQ(reductions[0].tile, tile(7));
  EXPECT_EQ(reductions[1].tile, tile(0));
  EXPECT_EQ(reductions[1].begin, 8U);
  EXPECT_EQ(reductions[1].last, 8U);
}

TEST(FinalStage, CyclesAreThoseOfItsFormulas) {
  const FinalSizes sizes{100, 10, 5, ElementType::Float, ElementType::Half};
  EXPECT_EQ(atOutputCycles(withTiles(4), sizes, Cycles(7)), Cycles(10 + 5 * 5 + 7));
  // 32 columns on a tile: 160 words, 5 times 16 loads, and 10 halves.
  EXPECT_EQ(balancedCycles(withTiles(4), sizes, Cycles(7)), Cycles(160 + 5 * 16 + 5 + 14));
}

ReduceProblem sumOf(std::vector<HeldRows> held, ElementType type = ElementType::Float) {
  return reduceProblem(ReduceOp::Add, type, type, std::move(held));
}

TEST(FinalStage, TakesTheDepthOfTheLastColumn) {
  ReduceProblem problem = sumOf({{tile(0), 0, 8}, {tile(1), 0, 8}, {tile(2), 0, 4}});
  problem.output_given = {{tile(3), 0, 8}};
  const ReducePlan plan = planReduce(withTiles(4), problem);
  EXPECT_EQ(plan.final.at_output_cycles, Cycles(8 + 2 * 4));
}

TEST(FinalStage, IsAtTheOutputWhereThatIsFaster) {
  ReduceProblem problem = sumOf(blocksOfRows(1, 3, 64));
  problem.output_given = {{tile(0), 0, 64}};
  const FinalStage crowded = planReduce(withTiles(16), problem).final;
  EXPECT_EQ(crowded.place, FinalPlace::Balanced);
  EXPECT_EQ(crowded.reduced.size(), 8U);  // eight floats on each
  EXPECT_EQ(crowded.result.size(), 1U);
  problem.sync = Cycles(200);  // a change of layout takes one more
  const FinalStage there = planReduce(withTiles(16), problem).final;
  EXPECT_EQ(there.place, FinalPlace::AtOutput);
  EXPECT_EQ(there.reduced.size(), 1U);
  EXPECT_TRUE(there.result.empty());
}

}  // namespace
}  // namespace ipusim::workloads
