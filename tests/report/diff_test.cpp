// SPDX-License-Identifier: Apache-2.0
#include "sim/report/diff/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/run/two_tile_run.h"
#include "tests/support/thrown.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

ResultDiff diffOf(const Json& a, const Json& b) {
  return diffResults(JsonReader(a, "a.json"), JsonReader(b, "b.json"));
}

/// A result with these steps, all of them of kind compute unless they say otherwise.
Json withSteps(const char* steps) {
  Json result = {{"steps", Json::parse(steps)}};
  for (Json& step : result["steps"]) {
    if (!step.contains("kind")) step["kind"] = "compute";
  }
  return result;
}

std::vector<std::string> pairsOf(const ResultDiff& diff) {
  std::vector<std::string> pairs;
  pairs.reserve(diff.steps.size());
  for (const StepPair& step : diff.steps) pairs.push_back(step.a + "=" + step.b);
  return pairs;
}

TEST(ResultDiff, OfAResultWithItselfIsNone) {
  const Json result = withTiles(run::twoTileResult());
  const ResultDiff diff = diffOf(result, result);
  EXPECT_TRUE(diff.same());
  EXPECT_EQ(diff.steps.size(), 5U);
  EXPECT_EQ(diff.tiles.size(), kCategories + 11);
  EXPECT_THAT(diff.only_a, IsEmpty());
}

TEST(ResultDiff, TilesAreTheColumnsOfTheResult) {
  const Json tiles = withTiles(run::twoTileResult())["tiles"];
  EXPECT_EQ(tiles["variables_bytes"], Json({300, 200}));
  EXPECT_EQ(tiles["compute_cycles"], Json({60, 60}));
  EXPECT_EQ(tiles["exchange_cycles"], Json({25, 41}));
  EXPECT_EQ(tiles["idle_cycles"], Json({20, 0}));
}

TEST(ResultDiff, NamesFiguresAndTilesThatDiffer) {
  const Json a = withTiles(run::twoTileResult());
  run::RunResult changed = run::twoTileResult();
  changed.time.cycles = Cycles(150);
  changed.tiles[1].compute = Cycles(75);
  const ResultDiff diff = diffOf(a, withTiles(changed));
  EXPECT_FALSE(diff.same());
  for (const FigurePair& figure : diff.figures) {
    EXPECT_EQ(figure.differs(), figure.key == "time.cycles") << figure.key;
  }
  for (const TilesPair& tiles : diff.tiles) {
    if (!tiles.differs()) continue;
    EXPECT_EQ(tiles.key, "tiles.compute_cycles");
    EXPECT_EQ(tiles.differing, 1U);
    EXPECT_EQ(tiles.worst_tile, 1U);
    EXPECT_EQ(tiles.worst_a, 60U);
    EXPECT_EQ(tiles.worst_b, 75U);
  }
}

TEST(ResultDiff, NamesFiguresThatOneResultLacks) {
  const Json a = Json::parse(R"({"time": {"cycles": 5, "seconds": 1.0}, "oom": null})");
  const Json b = Json::parse(R"({"time": {"cycles": 5}, "oom": {"tile": 3}})");
  const ResultDiff diff = diffOf(a, b);
  EXPECT_TRUE(diff.same());
  EXPECT_THAT(diff.only_a, ElementsAre("time.seconds"));
  EXPECT_THAT(diff.only_b, ElementsAre("oom.tile"));
}

TEST(ResultDiff, PairsStepsOfOneNameInTheirOrder) {
  const Json a =
      withSteps(R"([{"name": "x", "cycles": 1}, {"name": "y"}, {"name": "x", "cycles": 2}])");
  const Json b =
      withSteps(R"([{"name": "x", "cycles": 1}, {"name": "x", "cycles": 3}, {"name": "y"},
                               {"name": "x", "cycles": 2}])");
  const ResultDiff diff = diffOf(a, b);
  EXPECT_THAT(pairsOf(diff), ElementsAre("x=x", "y=y", "x=x"));
  EXPECT_FALSE(diff.steps[0].differs());
  EXPECT_TRUE(diff.steps[2].differs());
  EXPECT_THAT(diff.steps_only_a, IsEmpty());
  EXPECT_THAT(diff.steps_only_b, ElementsAre("x"));
}

TEST(ResultDiff, PairsOtherStepsByOrderWhereThereAreAsMany) {
  const Json a = withSteps(R"([{"name": "Convolve"}, {"name": "add"}, {"name": "Reduce"},
                               {"name": "go", "kind": "exchange"}])");
  const Json b = withSteps(R"([{"name": "mul"}, {"name": "add"}, {"name": "sum"},
                               {"name": "in", "kind": "exchange"}, {"name": "out", "kind": "exchange"}])");
  const ResultDiff diff = diffOf(a, b);
  EXPECT_THAT(pairsOf(diff), ElementsAre("Convolve=mul", "add=add", "Reduce=sum"));
  EXPECT_THAT(diff.steps_only_a, ElementsAre("go"));
  EXPECT_THAT(diff.steps_only_b, ElementsAre("in", "out"));
  EXPECT_FALSE(diff.same());
}

TEST(ResultDiff, TextHasWhatDiffers) {
  const Json a = withSteps(R"([{"name": "mul", "cycles": 1000, "vertices": 3}, {"name": "gone"}])");
  const Json b =
      withSteps(R"([{"name": "mul", "cycles": 1250, "vertices": 90, "mean_cycles": 2.5}])");
  EXPECT_EQ(diffText(diffOf(a, b), "a.json", "b.json"),
            "A  a.json\n"
            "B  b.json\n"
            "\n"
            "FIGURES   0 of 0 equal\n"
            "STEPS     1 in both, 0 of them equal\n"
            "  mul (compute)\n"
            "    cycles                                        1,000          1,250     +25 %\n"
            "    vertices                                          3             90      x 30\n"
            "STEPS ONLY IN A\n"
            "  gone\n"
            "FIGURES ONLY IN B\n"
            "  steps[].mean_cycles\n");
}

TEST(ResultDiff, TextSaysOnceThatAResultHasNothingOfASection) {
  const Json a = Json::parse(
      R"({"time": {"cycles": 5, "seconds": 1.0}, "tiles": {"compute_cycles": [1], "idle_cycles": [0]},
          "oom": {"tile": 3}})");
  const Json b = Json::parse(R"({"time": {"cycles": 5}})");
  EXPECT_THAT(diffText(diffOf(a, b), "a.json", "b.json"), EndsWith("FIGURES ONLY IN A\n"
                                                                   "  oom.tile\n"
                                                                   "  time.seconds\n"
                                                                   "  tiles: all 2 figures\n"));
}

TEST(ResultDiff, JsonHasAllThatWasCompared) {
  const Json a = withTiles(run::twoTileResult());
  const Json json = diffJson(diffOf(a, a), "a", "b");
  EXPECT_EQ(json["same"], true);
  EXPECT_EQ(json["figures"][0],
            Json::parse(R"({"key": "machine.name", "a": "hand", "b": "hand"})"));
  EXPECT_EQ(json["steps"].size(), 5U);
  EXPECT_EQ(json["tiles"][0]["key"], "tiles.variables_bytes");
}

TEST(ResultDiff, RefusesOtherTypes) {
  const Json good = withSteps("[]");
  const auto fault = [&](const Json& bad) { return configErrorOf([&] { diffOf(bad, good); }); };
  EXPECT_THAT(fault(Json::parse(R"({"steps": 3})")),
              StartsWith("a.json: steps: wanted an array, found 3"));
  EXPECT_THAT(fault(Json::parse(R"({"steps": [{"kind": "compute"}]})")),
              StartsWith("a.json: steps[0]: wanted the key \"name\""));
  EXPECT_THAT(fault(Json::parse("[]")), HasSubstr("wanted an object"));
}

}  // namespace
}  // namespace ipusim::report
