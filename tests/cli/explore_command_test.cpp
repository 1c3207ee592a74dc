// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

class ExploreCommand : public SweepCliTest {
 protected:
  [[nodiscard]] std::string space() const {
    (void)smallRun();
    return write("space.toml", R"(run = "run.toml"
[axes]
machine.clock_hz = {from = 1e9, to = 2e9, count = 9}
workload.elements = {from = 100, to = 30000, count = 30}
workload.type = ["half", "float"]
[explore]
minimize = ["time.seconds"]
maximize = ["workload.elements"]
population = 8
evaluations = 60
)");
  }
  /// Four stages, of which the second holds most.
  [[nodiscard]] std::string unequalStages() const {
    return write("stages.toml", R"(
machine = {base = "pod16", ipu = {base = "gc200", tiles = 16}}
[workload]
kind = "network"
input = [64]
batch = 16
layers = "linear 64; tanh; linear 256; tanh; linear 16; linear 8"
train = {}
[parallel]
stages = 4
modules = [2, 2, 1, 2]
micro_batches = 8
)");
  }
  [[nodiscard]] std::string leastMemory() const {
    (void)unequalStages();
    return write("memory.toml", R"(run = "stages.toml"
[axes]
workload.batch = [64, 16, 128]
[explore]
minimize = ["memory.max_ipu_bytes"]
population = 8
evaluations = 24
)");
  }
  [[nodiscard]] std::string text(const std::string& file, const std::string& name = "out") const {
    return textOf(folder() / name / file);
  }
};

/// The object that a page holds.
Json dataOf(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST_F(ExploreCommand, APageHasThePointsWithTheFrontFirst) {
  const std::string page = (folder() / "page.html").string();
  const std::string out = (folder() / "out").string();
  const Finished finished = run({"explore", space(), "--out", out, "--report", page});
  ASSERT_EQ(finished.exit_code, 0) << finished.err;
  const Json data = dataOf(textOf(page));
  const std::size_t front = data["search"]["front"].size();
  ASSERT_GT(front, 0U);
  std::vector<std::uint64_t> first = data["points"];
  first.resize(front);
  std::sort(first.begin(), first.end());
  EXPECT_EQ(Json(first), data["search"]["front"]);
  EXPECT_EQ(data["columns"][0]["key"], "machine.clock_hz");
  EXPECT_EQ(data["columns"][0]["values"].size(), data["points"].size());
}

TEST_F(ExploreCommand, RefusesAPageThatNobodyCouldWriteBeforeTheWork) {
  const std::string out = (folder() / "out").string();
  const Finished finished = run({"explore", space(), "--out", out, "--report", folder().string()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("found: a folder"));
  EXPECT_FALSE(std::filesystem::exists(out + "/pareto.csv"));
}

TEST_F(ExploreCommand, WritesItsTables) {
  const Finished finished = run({"explore", space(), "--out", out()});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("pareto.csv: "));
  EXPECT_THAT(finished.out, HasSubstr("machine.clock_hz "));
  EXPECT_THAT(text("pareto.csv"), StartsWith("machine.clock_hz,workload.elements,workload.type,"));
  EXPECT_THAT(text("hypervolume.csv"),
              StartsWith("generation,points,front_points,hypervolume\n0,8,"));
  EXPECT_THAT(text("sensitivity.csv"), StartsWith("axes,objective,neighbours,"));
  EXPECT_GE(stored().size(), 60U);
  EXPECT_LT(stored().size(), 100U);
}

TEST_F(ExploreCommand, TheSameSeedGivesTheSameBytesWithAnyNumberOfJobs) {
  ASSERT_EQ(run({"explore", space(), "--out", out("one")}).exit_code, 0);
  ASSERT_EQ(run({"explore", space(), "--out", out("three"), "--jobs", "3"}).exit_code, 0);
  for (const char* file : {"results.csv", "pareto.csv", "hypervolume.csv", "sensitivity.csv"}) {
    EXPECT_EQ(text(file, "one"), text(file, "three")) << file;
  }
}

TEST_F(ExploreCommand, SharesItsPointsWithASweep) {
  ASSERT_EQ(run({"explore", space(), "--out", out()}).exit_code, 0);
  const std::string front = text("pareto.csv");
  const auto before = stored();
  ASSERT_EQ(run({"sweep", space(), "--out", out()}).exit_code, 0);
  EXPECT_EQ(stored().size(), 540U);
  for (const auto& [point, seconds] : before) EXPECT_EQ(stored().at(point), seconds) << point;
  const Finished again = run({"explore", space(), "--out", out()});
  EXPECT_EQ(again.err, "");  // no point was computed
  EXPECT_EQ(text("pareto.csv"), front);
}

TEST_F(ExploreCommand, TakesTheMemoryOfTheIpuThatHoldsMost) {
  const Finished explored = run({"explore", leastMemory(), "--out", out()});
  ASSERT_EQ(explored.exit_code, 0) << explored.err;
  const Json stages = Json::parse(run({"run", unequalStages(), "--json"}).out).at("stages");
  const auto held_by = [&](std::size_t stage) -> std::uint64_t {
    return stages.at(stage).at("memory").at("total_bytes");
  };
  ASSERT_GT(held_by(1), std::max({held_by(0), held_by(2), held_by(3)}));
  EXPECT_THAT(text("pareto.csv"), HasSubstr("memory.max_ipu_bytes"));
  EXPECT_THAT(text("pareto.csv"), HasSubstr("\n16,"));
  EXPECT_THAT(text("pareto.csv"), HasSubstr("," + std::to_string(held_by(1)) + ","));
}

TEST_F(ExploreCommand, WantsATableOfWhatIsWanted) {
  const Finished finished = run({"explore", manyPoints(), "--out", out()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("explore: wanted a table"));
}

}  // namespace
}  // namespace ipusim::cli
