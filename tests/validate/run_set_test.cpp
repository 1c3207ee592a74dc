// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/run_set.h"

#include <gmock/gmock.h>

#include "tests/support/thrown.h"

namespace ipusim::validate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunSet readRunSet(const std::string& text) {
  return parseRunSet({"m.csv:2: config", text});
}

/// One text such as "n=4 t=half" per run of the set.
std::vector<std::string> pointsIn(const std::string& text) {
  std::vector<std::string> shown;
  for (const auto& point : pointsOf(readRunSet(text).overrides)) {
    std::string line;
    for (const Override& one : point) line += (line.empty() ? "" : " ") + one.key + '=' + one.value;
    shown.push_back(line);
  }
  return shown;
}

std::string errorOfRunSet(const std::string& text) {
  return configErrorOf([&] { readRunSet(text); });
}

TEST(RunSet, IsAPathAlone) {
  EXPECT_EQ(readRunSet(" runs/a.toml ").config, "runs/a.toml");
  EXPECT_THAT(readRunSet("runs/a.toml").overrides, IsEmpty());
  EXPECT_THAT(pointsIn("runs/a.toml"), ElementsAre(""));
}

TEST(RunSet, TakesOverridesOneAfterTheOther) {
  EXPECT_EQ(readRunSet("a.toml;m=1").config, "a.toml");
  EXPECT_THAT(pointsIn("a.toml; workload.m = 1024 ;workload.type=half"),
              ElementsAre("workload.m=1024 workload.type=half"));
}

TEST(RunSet, ABraceListIsASetOfRuns) {
  EXPECT_THAT(pointsIn("a.toml;t=half;n={256, 512,1024}"),
              ElementsAre("t=half n=256", "t=half n=512", "t=half n=1024"));
  EXPECT_THAT(pointsIn("a.toml;n={8}"), ElementsAre("n=8"));
}

TEST(RunSet, ListsOfEqualLengthGoTogether) {
  EXPECT_THAT(pointsIn("a.toml;m={1,2};k=5;n={3,4}"), ElementsAre("m=1 k=5 n=3", "m=2 k=5 n=4"));
}

TEST(RunSet, ListsOfDifferentLengthsGiveEveryCombination) {
  EXPECT_THAT(pointsIn("a.toml;m={1,2};t={a,b,c};n={3,4}"),
              ElementsAre("m=1 t=a n=3", "m=1 t=b n=3", "m=1 t=c n=3", "m=2 t=a n=4", "m=2 t=b n=4",
                          "m=2 t=c n=4"));
}

TEST(RunSet, ATomlArrayOrTableIsOneValue) {
  EXPECT_THAT(pointsIn("a.toml;tiles=[0, 1];machine={base = \"toy\", tiles = 3}"),
              ElementsAre("tiles=[0, 1] machine={base = \"toy\", tiles = 3}"));
  EXPECT_THAT(pointsIn("a.toml;tiles={[0, 1],[2]}"), ElementsAre("tiles=[0, 1]", "tiles=[2]"));
  EXPECT_THAT(pointsIn("a.toml;machine={{base = \"toy\"},\"b;w\"}"),
              ElementsAre("machine={base = \"toy\"}", "machine=\"b;w\""));
}

TEST(RunSet, SaysWhatIsWrongWithIt) {
  EXPECT_THAT(errorOfRunSet(""),
              HasSubstr("m.csv:2: config: wanted the path of a run config, found"));
  EXPECT_THAT(errorOfRunSet(";n=1"), HasSubstr("wanted the path of a run config"));
  EXPECT_EQ(errorOfRunSet("a.toml;n"),
            "m.csv:2: config: wanted overrides key=value, with ; between them, found \"a.toml;n\"");
  EXPECT_THAT(errorOfRunSet("a.toml;=4"), HasSubstr("wanted overrides key=value"));
  EXPECT_THAT(errorOfRunSet("a.toml;n=1;"), HasSubstr("wanted overrides key=value"));
  EXPECT_THAT(errorOfRunSet("a.toml;n={1,2"), HasSubstr("wanted a brace list such as"));
  EXPECT_THAT(errorOfRunSet("a.toml;n={1,,2}"), HasSubstr("wanted a value before and after"));
  EXPECT_THAT(errorOfRunSet("a.toml;n={}"), HasSubstr("wanted a value before and after"));
}

TEST(RunSet, IsBounded) {
  std::string list = "{0";
  for (int i = 1; i < 101; ++i) list += ',' + std::to_string(i);
  const std::string longer = list + ",101}";
  EXPECT_EQ(pointsIn("a.toml;m=" + list + "};n=" + list + "}").size(), 101U);
  EXPECT_THAT(errorOfRunSet("a.toml;m=" + list + "};n=" + longer), HasSubstr("at most 10000 runs"));
}

}  // namespace
}  // namespace ipusim::validate
