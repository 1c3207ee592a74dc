// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/run/two_tile_run.h"

namespace ipusim::report {
namespace {

using testing::ContainsRegex;
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

TableOptions withStats() {
  TableOptions options;
  options.stats = Stats::With;
  return options;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// A result with more names, and longer ones, than a page takes.
run::RunResult longResult() {
  run::RunResult result = run::twoTileResult();
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
  EXPECT_THAT(tableText(run::twoTileResult()),
              StartsWith("example on hand: it fits, 0.120 us ± 21 %, 5.00 GFLOP/s\n"));
}

TEST(ResultTable, RepeatsTheParametersAndTheMachine) {
  EXPECT_THAT(
      tableText(run::twoTileResult()),
      HasSubstr("\n          m = 3, type = float\n          2 tiles of 1.00 kB, 1.00 GHz\n"));
}

TEST(ResultTable, NamesTheFullestTileAndWhatIsLeft) {
  EXPECT_THAT(tableText(run::twoTileResult()),
              HasSubstr("MEMORY    Tile 1 is the fullest: 640 B of 1.00 kB,\n"
                        "          gaps between addresses included, 360 B (36.0 %) left.\n"));
}

TEST(ResultTable, ShowsTheLargestCategoryOfThatTileFirst) {
  const std::string table = tableText(run::twoTileResult());
  EXPECT_LT(table.find("message buffers"), table.find("variables  "));
  EXPECT_LT(table.find("variables  "), table.find("vertex code"));
  EXPECT_THAT(table, Not(HasSubstr("stack")));  // no tile has any
}

TEST(ResultTable, SaysWhereAndHowFarItDoesNotFit) {
  run::RunResult result = run::twoTileResult();
  result.oom = run::tileOneIsFull();
  const std::string table = tableText(result);
  EXPECT_THAT(table, HasSubstr("it DOES NOT FIT"));
  EXPECT_THAT(table, HasSubstr("Tile 1 is 24 B over its 1.00 kB at step mul."));
  EXPECT_THAT(table, HasSubstr("The largest variable there: weights (125 float), 200 B."));
}

TEST(ResultTable, NamesWhatTakesMoreThanTheLargestVariable) {
  run::RunResult result = run::twoTileResult();
  result.oom = run::tileOneIsFull();
  EXPECT_THAT(tableText(result), Not(HasSubstr("More than any variable")));
  result.tiles[1].bytes[static_cast<std::size_t>(MemoryCategory::ExchangeCode)] = Bytes(700);
  EXPECT_THAT(tableText(result),
              HasSubstr("More than any variable: internal exchange code, 700 B."));
}

TEST(ResultTable, SaysWhatABufferIsACopyOf) {
  run::RunResult result = run::twoTileResult();
  result.oom = run::tileOneIsFull();
  result.oom->category = MemoryCategory::MessageBuffers;
  EXPECT_THAT(tableText(result),
              HasSubstr("The largest variable there: a copy of weights (125 float), 200 B."));
  result.oom->variable.clear();
  EXPECT_THAT(tableText(result), HasSubstr("The largest variable there: message buffers, 200 B."));
}

TEST(ResultTable, SaysWhereGapsAloneAreTheReason) {
  run::RunResult result = run::twoTileResult();
  result.oom = run::tileOneIsFull();
  EXPECT_THAT(tableText(result), HasSubstr("Its bytes alone would fit"));
  result.tiles[1].always_live = Bytes(2000);
  EXPECT_THAT(tableText(result), Not(HasSubstr("Its bytes alone would fit")));
}

TEST(ResultTable, CodeIsHeldAgainstTheRegionThatMayHoldIt) {
  run::RunResult result = run::twoTileResult();
  result.oom = {0, "mul", MemoryCategory::VertexCode, Bytes(24)};
  EXPECT_THAT(tableText(result), HasSubstr("Tile 0 is 24 B over the 500 B that may hold code"));
}

TEST(ResultTable, HasNoSpacesAtTheEndOfALine) {
  EXPECT_THAT(tableText(run::twoTileResult(), withStats()), Not(HasSubstr(" \n")));
}

TEST(ResultTable, HasTheShapesOfVariablesWhereItIsWide) {
  TableOptions wide;
  wide.width = 120;
  EXPECT_THAT(tableText(run::twoTileResult(), wide),
              ContainsRegex("in, cast +5x4 half +40 B +40 B   in to mul\n"));
}

TEST(ResultTable, NamesTheLargestVariablesOfTheFullestTile) {
  const std::string table = tableText(run::twoTileResult());
  EXPECT_THAT(table, HasSubstr("2 variables"));
  EXPECT_THAT(table, ContainsRegex("weights +200 B +500 B   always\n"));
  EXPECT_THAT(table, ContainsRegex("in, cast +40 B +40 B   in to mul\n"));
}

TEST(ResultTable, ShowsTheLargestOfManyVariablesUnlessAskedForAll) {
  run::RunResult result = run::twoTileResult();
  result.variables.assign(9, result.variables.front());
  EXPECT_THAT(tableText(result), HasSubstr("the 5 largest of 9 variables"));
  TableOptions all;
  all.all = true;
  const std::string table = tableText(result, all);
  EXPECT_THAT(table, HasSubstr("\n  9 variables"));
  EXPECT_EQ(count(table, "weights "), 9U);
}

TEST(ResultTable, TakesAProgramWithoutSteps) {
  run::RunResult result = run::twoTileResult();
  result.steps.clear();
  result.positions.clear();
  EXPECT_THAT(tableText(result), HasSubstr("in, cast"));
}

TEST(ResultTable, NamesCannotControlATerminal) {
  run::RunResult result = run::twoTileResult();
  result.variables[0].name = "a\x1b[2J\nb";
  result.steps[2].name = "c\x1b[2J\nd";
  const std::string table = tableText(result);
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(table, HasSubstr("a\\x1b[2J\\nb"));
  EXPECT_THAT(table, HasSubstr("c\\x1b[2J\\nd"));
}

// Tile 0 is busy for 100 cycles and idle for 20, tile 1 is busy for 120.
TEST(ResultTable, StepsAddUpToTheTime) {
  const std::string table = tableText(run::twoTileResult());
  EXPECT_THAT(table, ContainsRegex("mul +compute +3 +60 +60\n"));
  EXPECT_THAT(table, ContainsRegex("keep +copy +3 +9 +7\n"));
  EXPECT_THAT(table, ContainsRegex("1 sync +sync +1 +10\n"));
  EXPECT_THAT(table, ContainsRegex("idle after its last step +10\n"));
  EXPECT_THAT(table, ContainsRegex("total +120 +64 B\n"));
}

TEST(ResultTable, BytesOfAStepAreThoseOfAllItsTimes) {
  run::RunResult result = run::twoTileResult();
  result.steps[1].iterations = 10;
  EXPECT_THAT(tableText(result), ContainsRegex("in +exchange +10 +21 +21 +640 B\n"));
}

TEST(ResultTable, ShowsSyncsOneByOneWithAllSteps) {
  EXPECT_THAT(tableText(run::twoTileResult()), Not(HasSubstr("in/sync")));
  TableOptions all;
  all.all = true;
  EXPECT_THAT(tableText(run::twoTileResult(), all), HasSubstr("in/sync"));
}

TEST(ResultTable, SortsStepsAsAsked) {
  TableOptions options;
  options.order = StepOrder::Cycles;
  const std::string by_cycles = tableText(run::twoTileResult(), options);
  EXPECT_LT(by_cycles.find("\n  mul "), by_cycles.find("\n  in "));
  options.order = StepOrder::Bytes;
  const std::string by_bytes = tableText(run::twoTileResult(), options);
  EXPECT_LT(by_bytes.find("\n  in "), by_bytes.find("\n  mul "));
}

TEST(ResultTable, AWiderTableHasLongerNamesAndTheBusiestTile) {
  run::RunResult result = run::twoTileResult();
  result.steps[2].name = std::string(60, 'n');
  EXPECT_THAT(tableText(result), Not(HasSubstr(result.steps[2].name)));
  TableOptions wide;
  wide.width = 140;
  const std::string table = tableText(result, wide);
  EXPECT_THAT(table, HasSubstr(result.steps[2].name));
  EXPECT_THAT(table, HasSubstr("on tile"));
  EXPECT_LE(widthOf(table), 140U);
}

TEST(ResultTable, ColoursChangeNoLetter) {
  TableOptions options;
  options.colours = true;
  const std::string table = tableText(run::twoTileResult(), options);
  EXPECT_THAT(table, HasSubstr("\x1b[32mit fits\x1b[0m"));
  EXPECT_THAT(table, HasSubstr("\n\x1b[1mMEMORY\x1b[0m    Tile 1"));
  EXPECT_EQ(std::regex_replace(table, std::regex("\x1b\\[[0-9]*m"), ""),
            tableText(run::twoTileResult()));
}

TEST(ResultTable, StaysOnAPage) {
  const std::string table = tableText(longResult(), withStats());
  EXPECT_LT(std::count(table.begin(), table.end(), '\n'), 66);
  EXPECT_LE(widthOf(table), 80U);
  EXPECT_THAT(table, HasSubstr("486 shorter steps"));
}

TEST(ResultTable, SaysNothingOfWorkWhereThereIsNone) {
  run::RunResult result = run::twoTileResult();
  EXPECT_THAT(tableText(result), HasSubstr("WORK "));
  result.work.flops = Flops(0);
  EXPECT_THAT(tableText(result), Not(HasSubstr("WORK ")));
}

TEST(ResultTable, ShowsHowManyParametersAModelHas) {
  run::RunResult result = run::twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 500}}}, 4000};
  EXPECT_THAT(tableText(result),
              HasSubstr("MODEL     1,000 parameters, 4,000 of the dense layer, 75.0 % fewer\n"));
}

TEST(ResultTable, SaysThatAModelHasMoreParametersThanTheDenseOne) {
  run::RunResult result = run::twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 500}}}, 400};
  EXPECT_THAT(tableText(result), HasSubstr("400 of the dense layer, 150.0 % more\n"));
}

TEST(ResultTable, NamesTheTilesWhoseMeanItShowsWhereOthersOnlyWait) {
  run::RunResult result = run::twoTileResult();
  EXPECT_THAT(tableText(result), HasSubstr("; a tile spends on average\n"));
  result.in_use = TilesInUse{1, Cycles(90), Cycles(6), Cycles(24), {}, {}, {}, 0};
  result.in_use->step_cycles.assign(result.steps.size(), 7);
  const std::string table = tableText(result);
  EXPECT_THAT(table, HasSubstr("; mean of the 1 tile in use\n"));
  EXPECT_THAT(table, HasSubstr("; all times, mean of 1 tile\n"));
  EXPECT_THAT(table, HasSubstr("compute                               90  75.0 %"));
}

TEST(ResultTable, ComparesADenseModelWithNothing) {
  run::RunResult result = run::twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 500}}}, 1000};
  EXPECT_THAT(tableText(result), HasSubstr("MODEL     1,000 parameters\n"));
}

TEST(ResultTable, BeginsWithTheWholeTimeOfATrainingWithItsHost) {
  run::RunResult result = run::twoTileResult();
  result.training = run::TrainingResult{10, 2, 0.5, 0.2, 10.0};
  EXPECT_THAT(tableText(result), StartsWith("example on hand: it fits, 10.0 s of training, "));
  result.training->host_step_seconds = 0;
  EXPECT_THAT(tableText(result), StartsWith("example on hand: it fits, 0.120 us "));
}

TEST(ResultTable, NamesThePeakOfAWorkload) {
  run::RunResult result = run::twoTileResult();
  result.work.flops_per_second = 5e9;
  result.work.peak_fraction = 0.5;
  result.work.peak_units = workloads::kMatrixEngines;
  EXPECT_THAT(tableText(result), HasSubstr("50.0 % of 10.0 GFLOP/s"));
  EXPECT_THAT(tableText(result), HasSubstr("of the matrix engines at its types"));
  result.work.peak_units = workloads::kVectorUnits;
  EXPECT_THAT(tableText(result), HasSubstr("of the vector units"));
  result.work.nonzero_flops_per_second = 1e9;
  EXPECT_THAT(tableText(result), HasSubstr("50.0 % of 2.00 GFLOP/s"));
}

TEST(ResultTable, FlagsAnEstimateOutsideTheBandOnly) {
  run::RunResult result = run::twoTileResult();
  result.plan = workloads::PlanSummary{{}, {}, result.time.cycles};
  EXPECT_THAT(tableText(result), Not(HasSubstr("outside its band")));
  result.plan->estimated_cycles = 2 * result.time.cycles;
  EXPECT_THAT(tableText(result), HasSubstr("outside its band"));
}

TEST(ResultTable, ShowsThePlanAndItsEstimate) {
  run::RunResult result = run::twoTileResult();
  result.plan = workloads::PlanSummary{{{"method", "AMP"}}, {{"field_split", 4}}, Cycles(9900)};
  EXPECT_THAT(
      tableText(result),
      HasSubstr("PLAN      method AMP, field split 4, estimated at 9,900 cycles,\n"
                "          82.5 of what the program takes: outside its band; another plan may be "
                "better\n"));
}

}  // namespace
}  // namespace ipusim::report
