// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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
  [[nodiscard]] std::string text(const std::string& file, const std::string& name = "out") const {
    return textOf(folder() / name / file);
  }
};

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

TEST_F(ExploreCommand, WantsATableOfWhatIsWanted) {
  const Finished finished = run({"explore", manyPoints(), "--out", out()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, HasSubstr("explore: wanted a table"));
}

}  // namespace
}  // namespace ipusim::cli
