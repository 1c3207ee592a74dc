// SPDX-License-Identifier: Apache-2.0
#include "sim/report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/run/two_tile_run.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;

std::vector<std::string> keysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(ResultJson, HasTheSectionsInOrder) {
  EXPECT_THAT(keysOf(toJson(run::twoTileResult())),
              ElementsAre("schema", "tool_version", "commit", "config", "machine", "graph", "fits",
                          "oom", "memory", "time", "uncertainty", "work", "activity", "not_priced",
                          "program", "steps", "engine"));
}

TEST(ResultJson, MachineKeysEndInTheirUnit) {
  EXPECT_THAT(keysOf(toJson(run::twoTileResult())["machine"]),
              ElementsAre("name", "tiles", "sram_per_tile_bytes", "total_sram_bytes", "clock_hz"));
}

TEST(ResultJson, MemoryKeysAreComplete) {
  EXPECT_THAT(keysOf(toJson(run::twoTileResult())["memory"]),
              ElementsAre("capacity_tile_bytes", "total_bytes", "max_tile_bytes", "max_tile",
                          "always_live_bytes", "peak_not_always_live_bytes", "by_category",
                          "total_including_gaps_bytes", "total_without_code_bytes",
                          "max_tile_without_code_bytes"));
}

TEST(ResultJson, TimeKeysAreComplete) {
  EXPECT_THAT(keysOf(toJson(run::twoTileResult())["time"]),
              ElementsAre("cycles", "seconds", "low_seconds", "high_seconds", "compute_cycles",
                          "exchange_cycles", "sync_cycles", "host_cycles"));
}

TEST(ResultJson, GraphAndWorkKeysAreComplete) {
  const Json json = toJson(run::twoTileResult());
  EXPECT_THAT(keysOf(json["graph"]),
              ElementsAre("variables", "vertices", "edges", "compute_sets", "exchanges"));
  EXPECT_THAT(keysOf(json["work"]), ElementsAre("flops", "gflops_per_second", "peak_fraction"));
}

TEST(ResultJson, TheUnitsOfThePeakAreNamed) {
  run::RunResult result = run::twoTileResult();
  result.work.peak_units = "matrix engines";
  EXPECT_EQ(toJson(result)["work"]["peak_units"], "matrix engines");
}

TEST(ResultJson, ActivityHasAllCountsInTheRunAndThoseAboveZeroInAStep) {
  const Json json = toJson(run::twoTileResult());
  EXPECT_THAT(keysOf(json["activity"]),
              ElementsAre("half_macs", "float_macs", "other_flops", "loaded_bytes", "stored_bytes",
                          "bundles", "sent_words", "received_words", "column_word_rows",
                          "spine_words", "tile_syncs", "link_bytes", "host_bytes",
                          "streaming_bytes", "busy_tile_cycles", "tile_cycles"));
  EXPECT_EQ(json["activity"]["tile_cycles"], 2 * 120);
  EXPECT_EQ(json["steps"][0]["activity"], Json({{"tile_syncs", 2}, {"tile_cycles", 20}}));
  // The last step has the 20 cycles for which tile 0 waits for the end.
  EXPECT_EQ(json["steps"][4]["activity"], Json({{"busy_tile_cycles", 25}, {"tile_cycles", 45}}));
}

TEST(ResultJson, AnExchangeSaysItsVolumeAndAComputeItsCycles) {
  const Json steps = toJson(run::twoTileResult())["steps"];
  EXPECT_EQ(steps[1]["exchange"], Json({{"bytes", 64}, {"max_tile_bytes", 48}, {"messages", 2}}));
  EXPECT_EQ(steps[2]["compute_cycles"], 60);
  EXPECT_FALSE(steps[2].contains("exchange"));
  EXPECT_FALSE(steps[0].contains("compute_cycles"));
}

TEST(ResultJson, AStepSaysWhenItStartsAndEnds) {
  const Json step = toJson(run::twoTileResult())["steps"][2];
  EXPECT_EQ(step["start_cycles"], 30);
  EXPECT_EQ(step["end_cycles"], 97);
}

TEST(ResultJson, TheProgramIsNumbersOfStepsAndLoops) {
  EXPECT_EQ(toJson(run::twoTileResult())["program"],
            Json::parse(R"([0, 1, {"iterations": 3, "body": [2, 3]}, 4])"));
}

TEST(ResultJson, OomIsNullWhereItFitsAndNamesTheTileWhereNot) {
  run::RunResult result = run::twoTileResult();
  EXPECT_TRUE(toJson(result)["oom"].is_null());
  result.oom = run::tileOneIsFull();
  const Json json = toJson(result);
  EXPECT_EQ(json["fits"], false);
  EXPECT_EQ(json["oom"], Json::parse(R"({
    "tile": 1, "step": "mul", "category": "variables", "bytes_over": 24,
    "position": 3, "variable": "weights", "largest_bytes": 200,
    "variables": [{"name": "weights", "type": "float", "shape": [125], "tile_bytes": 200, "total_bytes": 500},
                  {"name": "in, cast", "type": "half", "shape": [5, 4], "tile_bytes": 40,
                   "total_bytes": 40}]})"));
}

TEST(ResultJson, APlanIsItsChoicesItsPartsAndTheEstimate) {
  run::RunResult result = run::twoTileResult();
  result.plan = workloads::PlanSummary{{{"method", "AMP"}}, {{"field_split", 4}}, Cycles(99)};
  EXPECT_EQ(toJson(result)["plan"],
            Json({{"method", "AMP"}, {"field_split", 4}, {"estimated_cycles", 99}}));
}

TEST(ResultJson, AModelCountsItsParametersBesideTheDenseLayers) {
  run::RunResult result = run::twoTileResult();
  result.model = workloads::ModelSummary{{{"weights", {2, 3}}, {"bias", {4}}}, 40};
  EXPECT_EQ(toJson(result)["model"],
            Json({{"parameters", 10}, {"dense_parameters", 40}, {"compression_ratio", 0.75}}));
}

TEST(ResultJson, TheConfigIsPartOfTheResult) {
  EXPECT_EQ(toJson(run::twoTileResult())["config"]["workload"]["m"], 3);
}

TEST(ResultJson, WallTimeComesWithStatsOnly) {
  const run::RunResult result = run::twoTileResult();
  EXPECT_THAT(keysOf(toJson(result)["engine"]),
              ElementsAre("kind", "iterations_simulated", "tile_steps"));
  EXPECT_EQ(toJson(result, Stats::With)["engine"]["tile_steps_per_second"], 14 / 0.5);
}

TEST(ResultJson, TwoRunsThatDifferInWallTimeGiveTheSameBytes) {
  run::RunResult slower = run::twoTileResult();
  slower.engine.wall_seconds *= 3;
  EXPECT_EQ(jsonText(run::twoTileResult()), jsonText(slower));
}

}  // namespace
}  // namespace ipusim::report
