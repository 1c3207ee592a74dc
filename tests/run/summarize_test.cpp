// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/summarize.h"

#include <gtest/gtest.h>

#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

Bytes bytesOf(const CategoryBytes& bytes, MemoryCategory category) {
  return bytes.at(static_cast<std::size_t>(category));
}

TEST(SummarizeTiles, BooksEachKindOfStepByItself) {
  const TileResult tile = twoTileResult().tiles[1];
  EXPECT_EQ(tile.compute, Cycles(60));
  EXPECT_EQ(tile.copy, Cycles(9));
  EXPECT_EQ(tile.exchange, Cycles(21 + 20));
  EXPECT_EQ(tile.sync, Cycles(10));
}

TEST(SummarizeTiles, ATileThatEndsEarlyIsIdleUntilTheEnd) {
  const RunResult result = twoTileResult();
  EXPECT_EQ(result.tiles[0].idle, Cycles(20));
  EXPECT_EQ(result.tiles[1].idle, Cycles(0));
}

TEST(SummarizeMemory, ATileIsItsAlwaysLiveBytesAndItsOwnPeak) {
  const MemoryResult memory = twoTileResult().memory;
  EXPECT_EQ(memory.max_tile_bytes, Bytes(300 + 250));  // tile 0: 400 + 50
  EXPECT_EQ(memory.max_tile, 1);
  EXPECT_EQ(memory.always_live, Bytes(400 + 300));
  EXPECT_EQ(memory.peak_not_always_live, Bytes(50 + 250));
}

TEST(SummarizeMemory, TotalsAreSumsOverTilesAndGapsAreApart) {
  const MemoryResult memory = twoTileResult().memory;
  EXPECT_EQ(memory.total, Bytes(450 + 550));
  EXPECT_EQ(memory.total_including_gaps, Bytes(480 + 640));
  EXPECT_EQ(bytesOf(memory.by_category, MemoryCategory::Variables), Bytes(500));
  EXPECT_EQ(bytesOf(memory.by_category, MemoryCategory::VertexCode), Bytes(200));
  EXPECT_EQ(bytesOf(memory.by_category, MemoryCategory::MessageBuffers), Bytes(300));
}

TEST(SummarizeMemory, WithoutCodeLeavesVertexCodeOut) {
  const MemoryResult memory = twoTileResult().memory;
  EXPECT_EQ(memory.total_without_code, Bytes(1000 - 200));
  EXPECT_EQ(memory.max_tile_without_code, Bytes(550 - 100));
}

TEST(SummarizeMemory, OfEquallyFullTilesTheFirstIsNamed) {
  TileResult tile;
  tile.always_live = Bytes(7);
  EXPECT_EQ(summarizeMemory({tile, tile}).max_tile, 0);
}

TEST(SummarizeTime, PartsAreMeansAndAddUpToTheRun) {
  const TimeResult time = twoTileResult().time;
  EXPECT_EQ(time.cycles, Cycles(120));
  EXPECT_EQ(time.compute, Cycles(67));   // (65 + 69) / 2
  EXPECT_EQ(time.exchange, Cycles(33));  // (25 + 41) / 2
  EXPECT_EQ(time.sync, Cycles(20));      // (10 + 20 + 10) / 2
  EXPECT_EQ(time.compute + time.exchange + time.sync, Cycles(120));
}

TEST(SummarizeTime, SecondsFollowFromTheClock) {
  EXPECT_DOUBLE_EQ(summarizeTime({TileResult{}}, Cycles(133), 1.33e9).seconds, 1e-7);
}

TEST(SummarizeTime, SurvivesSumsThatPass64Bits) {
  TileResult tile;
  tile.compute = kLastCycle;
  const std::vector<TileResult> tiles(8, tile);
  EXPECT_EQ(summarizeTime(tiles, kLastCycle, 1).compute, kLastCycle);
}

TEST(SummarizeSteps, CountsTheIterationsOfNestedRepeats) {
  Experiment experiment = twoTileExperiment();
  auto& control = experiment.executable.lowered.control;
  control = {compiler::Loop{4, control}};
  const auto steps = summarizeSteps(experiment.executable, twoTileMeasurement());
  EXPECT_EQ(steps[1].iterations, 4);      // in
  EXPECT_EQ(steps[2].iterations, 4 * 3);  // mul
}

TEST(SummarizeSteps, NamesTheSlowestTileAndTheMean) {
  const StepResult out = twoTileResult().steps[4];
  EXPECT_EQ(out.name, "out");
  EXPECT_EQ(out.cycles, Cycles(20));
  EXPECT_EQ(out.max_tile, 1);
  EXPECT_DOUBLE_EQ(out.mean_cycles, 12.5);
}

TEST(SummarizeSteps, TakesTheMostThatLivesWhereAStepStandsTwice) {
  Experiment experiment = twoTileExperiment();
  experiment.executable.lowered.positions = {StepId{0}, StepId{1}, StepId{2}, StepId{1}, StepId{4}};
  const auto steps = summarizeSteps(experiment.executable, twoTileMeasurement());
  EXPECT_EQ(steps[1].live, Bytes(20));
}

TEST(SummarizeSteps, SaysWhenAStepStartsAndEnds) {
  const StepResult mul = twoTileResult().steps[2];
  EXPECT_EQ(mul.start, Cycles(30));
  EXPECT_EQ(mul.end, Cycles(97));
}

TEST(SummarizeSteps, AStepWithoutTilesHasNoSpan) {
  ChipResult measured = twoTileMeasurement();
  measured.spans[4] = {};
  const StepResult step = summarizeSteps(twoTileExperiment().executable, measured)[4];
  EXPECT_EQ(step.start, Cycles(0));
  EXPECT_EQ(step.end, Cycles(0));
}

TEST(SummarizeProgram, IsATreeOfStepsAndLoops) {
  const std::vector<ProgramNode> program = twoTileResult().program;
  ASSERT_EQ(program.size(), 4U);
  EXPECT_EQ(std::get<std::uint32_t>(program[1]), 1U);
  const auto& loop = std::get<ProgramLoop>(program[2]);
  EXPECT_EQ(loop.iterations, 3U);
  ASSERT_EQ(loop.body.size(), 2U);
  EXPECT_EQ(std::get<std::uint32_t>(loop.body[1]), 3U);
}

TEST(SummarizeVariables, SaysWhereAndWhenAVariableLives) {
  const std::vector<VariableResult> variables = twoTileResult().variables;
  ASSERT_EQ(variables.size(), 2U);
  EXPECT_EQ(variables[0].name, "weights");
  EXPECT_TRUE(variables[0].always_live);
  EXPECT_EQ(variables[0].tiles.size(), 2U);  // 300 and 200 bytes
  EXPECT_EQ(variables[1].elements, 20U);
  EXPECT_EQ(variables[1].first_position, 1U);
  EXPECT_EQ(variables[1].last_position, 2U);
  ASSERT_EQ(variables[1].tiles.size(), 1U);
  EXPECT_EQ(variables[1].tiles[0].first_tile, 1U);
  EXPECT_EQ(variables[1].tiles[0].bytes, Bytes(40));
}

TEST(SummarizeVariables, NeighboursWithEqualSharesAreOneRun) {
  Experiment experiment = twoTileExperiment();
  experiment.executable.lowered.blocks[0].bytes = Bytes(200);
  const auto variables = summarizeVariables(experiment.workload.graph, experiment.executable);
  ASSERT_EQ(variables[0].tiles.size(), 1U);
  EXPECT_EQ(variables[0].tiles[0].tiles, 2U);
}

TEST(Summarize, GivesRateAndShareOfThePeak) {
  const WorkResult work = twoTileResult().work;
  EXPECT_DOUBLE_EQ(*work.flops_per_second, 600 / 120e-9);
  EXPECT_DOUBLE_EQ(*work.peak_fraction, 600.0 / (120 * 10));
}

TEST(Summarize, TakesThePeaksShareOfOperationsOnNonZeros) {
  Experiment experiment = twoTileExperiment();
  experiment.workload.nonzero_flops = Flops(60);
  const WorkResult work = summarize(experiment, {twoTileMeasurement(), {}}).work;
  EXPECT_DOUBLE_EQ(*work.flops_per_second, 600 / 120e-9);
  EXPECT_DOUBLE_EQ(*work.nonzero_flops_per_second, 60 / 120e-9);
  EXPECT_DOUBLE_EQ(*work.peak_fraction, 60.0 / (120 * 10));
}

TEST(Summarize, GivesNoShareOfAPeakThatTheStatedWorkIsAbove) {
  Experiment experiment = twoTileExperiment();
  experiment.workload.peak_flops_per_cycle = 1;
  const RunResult result = summarize(experiment, {twoTileMeasurement(), {}});
  EXPECT_FALSE(result.work.peak_fraction);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("above the peak"), std::string::npos);
}

TEST(Summarize, GivesTheMeansOfTilesInUseWhereOthersOnlyWait) {
  ChipResult measured = twoTileMeasurement();
  EXPECT_FALSE(summarize(twoTileExperiment(), {measured, {}}).in_use);
  for (std::uint32_t step = 1; step < 5; ++step) measured.busy[step * 2] = Cycles(0);
  const RunResult result = summarize(twoTileExperiment(), {measured, {}});
  ASSERT_TRUE(result.in_use);
  EXPECT_EQ(result.in_use->tiles, 1U);
  EXPECT_EQ(result.in_use->compute, result.tiles[1].compute + result.tiles[1].copy);
  EXPECT_EQ(result.in_use->step_cycles.at(2), static_cast<double>(measured.busyOf(2, 1).value()));
  EXPECT_LE(result.time.compute, result.in_use->compute);
}

TEST(Summarize, AProgramThatTakesNoTimeHasNoRate) {
  ChipResult measured = twoTileMeasurement();
  measured.busy.assign(measured.busy.size(), Cycles(0));
  measured.end = Cycles(0);
  EXPECT_FALSE(summarize(twoTileExperiment(), {measured, {}}).work.flops_per_second.has_value());
}

TEST(Summarize, AProgramThatDoesNotFitIsTimedAllTheSame) {
  Experiment experiment = twoTileExperiment();
  experiment.executable.memory.tiles[1].bytes_over = Bytes(24);
  experiment.executable.memory.tiles[1].peak_position = 2;
  const RunResult result = summarize(experiment, {twoTileMeasurement(), {}});
  ASSERT_FALSE(result.fits());
  EXPECT_EQ(result.oom->tile, 1U);
  EXPECT_EQ(result.oom->step, "mul");
  EXPECT_EQ(result.oom->bytes_over, Bytes(24));
  EXPECT_EQ(result.time.cycles, Cycles(120));
}

}  // namespace
}  // namespace ipusim::run
