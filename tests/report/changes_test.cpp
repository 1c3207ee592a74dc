// SPDX-License-Identifier: Apache-2.0
#include "sim/report/diff/changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/text/advice_table.h"
#include "tests/run/two_tile_run.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<ChangedPart> changesBetween(const Json& a, const Json& b) {
  return changesOf(JsonReader(a, "a.json"), JsonReader(b, "b.json"));
}

const ChangedPart& partOf(const std::vector<ChangedPart>& parts, const std::string& name) {
  for (const ChangedPart& part : parts) {
    if (part.name == name) return part;
  }
  throw std::out_of_range(name);
}

std::vector<std::string> keysOf(const ChangedPart& part) {
  std::vector<std::string> keys;
  for (const ChangedFigure& one : part.changes) keys.push_back(one.figure.key);
  return keys;
}

TEST(Changes, OfAResultWithItselfAreNone) {
  const Json result = withVariables(run::twoTileResult());
  const auto parts = changesBetween(result, result);
  for (const ChangedPart& part : parts) EXPECT_THAT(part.changes, IsEmpty()) << part.name;
  EXPECT_GT(partOf(parts, "memory").compared, 10U);
  EXPECT_GT(partOf(parts, "steps").compared, 0U);
}

TEST(Changes, StandWithTheLargestFirst) {
  const Json a = {{"memory", {{"small_bytes", 10}, {"large_bytes", 10}, {"same_bytes", 1}}}};
  const Json b = {{"memory", {{"small_bytes", 9}, {"large_bytes", 100}, {"same_bytes", 1}}}};
  const auto parts = changesBetween(a, b);
  EXPECT_THAT(keysOf(partOf(parts, "memory")),
              ElementsAre("memory.large_bytes", "memory.small_bytes"));
}

TEST(Changes, DoNotMixUnitsAndPutWordsFirst) {
  const Json a = {{"plan", {{"parts", 1}, {"estimated_cycles", 5}, {"method", "amp"}}}};
  const Json b = {{"plan", {{"parts", 2}, {"estimated_cycles", 900}, {"method", "slic"}}}};
  EXPECT_THAT(keysOf(partOf(changesBetween(a, b), "plan")),
              ElementsAre("plan.method", "plan.parts", "plan.estimated_cycles"));
}

TEST(Changes, OfOneUnitStandTogetherWhereKeysDoNotNameIt) {
  const Json a = {
      {"memory", {{"by_category", {{"stack", 1}}}, {"total_bytes", 5}, {"max_tile", 3}}}};
  const Json b = {
      {"memory", {{"by_category", {{"stack", 100}}}, {"total_bytes", 9}, {"max_tile", 900}}}};
  const auto parts = changesBetween(a, b);
  EXPECT_THAT(keysOf(partOf(parts, "memory")),
              ElementsAre("memory.by_category.stack", "memory.total_bytes"));
}

TEST(Changes, OfStepsAreThoseOfTheMeanTile) {
  const Json a = {{"steps", {{{"name", "sync"}, {"cycles", 900}, {"mean_cycles", 10.4}}}}};
  const Json b = {{"steps", {{{"name", "sync"}, {"cycles", 900}, {"mean_cycles", 30.6}}}}};
  const auto parts = changesBetween(a, b);
  ASSERT_EQ(partOf(parts, "steps").changes.size(), 1U);
  EXPECT_EQ(partOf(parts, "steps").changes[0].figure.a, 10);
  EXPECT_EQ(partOf(parts, "steps").changes[0].figure.b, 31);
  EXPECT_EQ(partOf(parts, "steps").changes[0].unit, "cycles");
}

TEST(Changes, OfStepsWithoutCyclesAreNone) {
  const Json profile = {{"steps", {{{"name", "not executed"}}}}};
  EXPECT_EQ(partOf(changesBetween(profile, profile), "steps").compared, 0U);
}

TEST(Changes, MatchVariablesByNameAndAddThoseOfOneName) {
  const Json a = {{"variables",
                   {{{"name", "x"}, {"bytes", 4}},
                    {{"name", "x"}, {"bytes", 6}},
                    {{"name", "gone"}, {"bytes", 5}}}}};
  const Json b = {
      {"variables", {{{"name", "more"}, {"bytes", 50}}, {{"name", "x"}, {"bytes", 11}}}}};
  const auto parts = changesBetween(a, b);
  const ChangedPart& part = partOf(parts, "variables");
  EXPECT_THAT(keysOf(part), ElementsAre("more", "gone", "x"));
  EXPECT_EQ(part.changes[0].figure.a, nullptr);
  EXPECT_EQ(part.changes[1].figure.b, nullptr);
  EXPECT_EQ(part.changes[2].figure.a, 10);
}

TEST(Changes, LeaveVariablesOutWhereOneSideHasNone) {
  const auto parts =
      changesBetween(withVariables(run::twoTileResult()), withTiles(run::twoTileResult()));
  for (const ChangedPart& part : parts) EXPECT_NE(part.name, "variables");
}

TEST(Changes, TextShowsTenOfAPartAndAllWhenAsked) {
  Json a = {{"memory", Json::object()}};
  Json b = a;
  for (std::uint64_t i = 0; i < 12; ++i) {
    a["memory"]["k" + std::to_string(i) + "_bytes"] = 100;
    b["memory"]["k" + std::to_string(i) + "_bytes"] = 101 + i;
  }
  const auto parts = changesBetween(a, b);
  const std::string largest = changesText(parts, "A.json", "B\033.json", ShownChanges::Largest);
  EXPECT_THAT(largest, HasSubstr("memory    12 of 12 changed"));
  EXPECT_THAT(largest, HasSubstr("2 more (--all)"));
  EXPECT_THAT(largest, Not(HasSubstr("k1_bytes")));
  EXPECT_THAT(largest, Not(HasSubstr("\033")));
  EXPECT_THAT(changesText(parts, "A", "B", ShownChanges::All), HasSubstr("k1_bytes"));
}

TEST(Advice, ShowsTheOptionsAndWhatTheyCost) {
  run::Advice advice;
  advice.tried = 3;
  advice.left_out = 2;
  advice.changes.push_back({"type",
                            "half in place of float",
                            {"workload.type=half"},
                            Bytes(500'000),
                            Bytes(600'000),
                            0.002});
  const std::string text = adviceText(advice, 80);
  EXPECT_THAT(text, HasSubstr("--set workload.type=half\n"));
  EXPECT_THAT(text, HasSubstr("500 kB of 600 kB, 2.00 ms: half in place of float"));
  EXPECT_THAT(text, HasSubstr("2 changes more would take too long or too much memory"));
  EXPECT_EQ(adviceJson(advice)["changes"][0]["set"][0], "workload.type=half");
}

TEST(Advice, CountsTheRunsThatDoTheWorkOfOne) {
  run::Advice advice;
  advice.tried = 1;
  advice.changes.push_back({"batch",
                            "32 rows a batch",
                            {"workload.batch=32"},
                            Bytes(500'000),
                            Bytes(600'000),
                            0.002,
                            8});
  EXPECT_THAT(adviceText(advice, 80),
              HasSubstr("500 kB of 600 kB, 8 runs of 2.00 ms: 32 rows a batch"));
  EXPECT_EQ(adviceJson(advice)["changes"][0]["runs"], 8);
}

TEST(Advice, SaysThatNothingHelps) {
  run::Advice advice;
  advice.tried = 4;
  EXPECT_THAT(adviceText(advice, 80), HasSubstr("none of the 4 changes tried makes it fit"));
}

}  // namespace
}  // namespace ipusim::report
