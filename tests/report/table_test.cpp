// SPDX-License-Identifier: Apache-2.0
#include "sim/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The columns of the longest line; a character of UTF-8 is one column.
std::size_t widthOf(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto letters =
        std::count_if(line.begin(), line.end(), [](char c) { return (c & '\xc0') != '\x80'; });
    width = std::max(width, static_cast<std::size_t>(letters));
  }
  return width;
}

/// A result with more names, and longer ones, than a page takes.
RunResult longResult() {
  RunResult result = twoTileResult();
  result.machine.tiles = 1'000'000;
  result.machine.name = std::string(64, 'm');
  StepResult step = result.steps[2];
  step.name = std::string(200, 'x');
  step.cycles = kLastCycle;
  step.iterations = 1'000'000'000'000;
  step.max_tile = 999'999;
  result.steps.assign(500, step);
  result.time.cycles = result.time.compute = kLastCycle;
  result.parameters.assign(6, {std::string(90, 'k'), std::string(90, 'v')});
  return result;
}

TEST(ResultTable, BeginsWithTheVerdictTheTimeAndTheRate) {
  EXPECT_THAT(tableText(twoTileResult()),
              StartsWith("example on hand: it fits, 0.120 us ± 25 %, 5.00 GFLOP/s\n"));
}

TEST(ResultTable, RepeatsTheParametersAndTheMachine) {
  EXPECT_THAT(
      tableText(twoTileResult()),
      HasSubstr("\n          m = 3, type = float\n          2 tiles of 1.00 kB, 1.00 GHz\n"));
}

TEST(ResultTable, NamesTheFullestTileAndWhatIsLeft) {
  EXPECT_THAT(tableText(twoTileResult()),
              HasSubstr("Tile 1 is the fullest: 550 B of 1.00 kB, 450 B (45.0 %) left."));
}

TEST(ResultTable, ShowsTheLargestCategoryOfThatTileFirst) {
  const std::string table = tableText(twoTileResult());
  EXPECT_LT(table.find("message buffers"), table.find("variables  "));
  EXPECT_LT(table.find("variables  "), table.find("vertex code"));
  EXPECT_THAT(table, Not(HasSubstr("stack")));  // no tile has any
}

TEST(ResultTable, SaysWhereAndHowFarItDoesNotFit) {
  RunResult result = twoTileResult();
  result.oom = tileOneIsFull();
  const std::string table = tableText(result);
  EXPECT_THAT(table, HasSubstr("it DOES NOT FIT"));
  EXPECT_THAT(table, HasSubstr("Tile 1 is 24 B over its 1.00 kB, most of all with variables"));
  EXPECT_THAT(table, HasSubstr("at step mul."));
}

TEST(ResultTable, SaysWhereGapsAloneAreTheReason) {
  RunResult result = twoTileResult();
  result.oom = tileOneIsFull();
  EXPECT_THAT(tableText(result), HasSubstr("Its bytes alone would fit"));
  result.tiles[1].always_live = Bytes(2000);
  EXPECT_THAT(tableText(result), Not(HasSubstr("Its bytes alone would fit")));
}

TEST(ResultTable, CodeIsHeldAgainstTheRegionThatMayHoldIt) {
  RunResult result = twoTileResult();
  result.oom = {0, "mul", MemoryCategory::VertexCode, Bytes(24)};
  EXPECT_THAT(tableText(result), HasSubstr("Tile 0 is 24 B over the 500 B that may hold code"));
}

TEST(ResultTable, HasNoSpacesAtTheEndOfALine) {
  EXPECT_THAT(tableText(twoTileResult(), Stats::With), Not(HasSubstr(" \n")));
}

TEST(ResultTable, LeavesSyncsOutOfTheSteps) {
  const std::string table = tableText(twoTileResult());
  EXPECT_THAT(table, HasSubstr("STEPS     2 compute sets, 2 exchanges\n"));
  EXPECT_THAT(table, Not(HasSubstr("in/sync")));
}

TEST(ResultTable, StaysOnAPage) {
  const std::string table = tableText(longResult(), Stats::With);
  EXPECT_LT(std::count(table.begin(), table.end(), '\n'), 60);
  EXPECT_LE(widthOf(table), 80U);
  EXPECT_THAT(table, HasSubstr("the 14 longest"));
}

TEST(ResultTable, SaysNothingOfWorkWhereThereIsNone) {
  RunResult result = twoTileResult();
  EXPECT_THAT(tableText(result), HasSubstr("WORK "));
  result.work.flops = Flops(0);
  EXPECT_THAT(tableText(result), Not(HasSubstr("WORK ")));
}

TEST(ResultTable, ShowsHowManyParametersAModelHas) {
  RunResult result = twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 500}}}, 4000};
  EXPECT_THAT(tableText(result),
              HasSubstr("MODEL     1,000 parameters, 4,000 of the dense layer, 75.0 % fewer\n"));
}

TEST(ResultTable, ComparesADenseModelWithNothing) {
  RunResult result = twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 500}}}, 1000};
  EXPECT_THAT(tableText(result), HasSubstr("MODEL     1,000 parameters\n"));
}

TEST(ResultTable, ShowsThePlanAndItsEstimate) {
  RunResult result = twoTileResult();
  result.plan = workloads::PlanSummary{{{"method", "AMP"}}, {{"field_split", 4}}, Cycles(9900)};
  EXPECT_THAT(tableText(result),
              HasSubstr("PLAN      method AMP, field split 4, estimated at 9,900 cycles\n"));
}

}  // namespace
}  // namespace ipusim::run
