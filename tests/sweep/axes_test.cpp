// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/axes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Axis> axesOf(const std::string& text) {
  return readAxes(ConfigReader::fromText(text, "sweep.toml"));
}

std::vector<std::string> shownValues(const std::string& text) {
  std::vector<std::string> values;
  const std::vector<Axis> axes = axesOf(text);
  for (const AxisValue& value : axes.at(0).values) values.push_back(value.shown);
  return values;
}

TEST(ReadAxes, TakesDottedAndQuotedKeysInTheOrderOfTheFile) {
  const auto axes = axesOf("workload.n = [1, 2]\n\"machine.tiles\" = [3]\nworkload.m = [4]\n");
  ASSERT_EQ(axes.size(), 3U);
  EXPECT_EQ(axes[0].key, "workload.n");
  EXPECT_EQ(axes[1].key, "workload.m");  // in the table that workload.n began
  EXPECT_EQ(axes[2].key, "machine.tiles");
}

TEST(ReadAxes, WritesTextsAsTomlAndShowsThemBare) {
  const AxisValue value = axesOf("workload.type = [\"half\"]\n")[0].values[0];
  EXPECT_EQ(value.toml, "\"half\"");
  EXPECT_EQ(value.shown, "half");
}

TEST(ReadAxes, KeepsRealsFlagsAndArrays) {
  EXPECT_THAT(shownValues("x = [1.5, true, [1, 2]]\n"), ElementsAre("1.5", "true", "[1,2]"));
}

TEST(ReadAxes, ALinearRangeHasBothEnds) {
  EXPECT_THAT(shownValues("n = {from = 10, to = 40, count = 4}\n"),
              ElementsAre("10", "20", "30", "40"));
}

TEST(ReadAxes, ALogarithmicRangeOfPowersIsExact) {
  EXPECT_THAT(shownValues("n = {from = 256, to = 4096, count = 5, scale = \"log2\"}\n"),
              ElementsAre("256", "512", "1024", "2048", "4096"));
}

TEST(ReadAxes, RoundsBetweenWholeEnds) {
  EXPECT_THAT(shownValues("n = {from = 1, to = 3, count = 5}\n"),
              ElementsAre("1", "2", "2", "3", "3"));
}

TEST(ReadAxes, StaysRealWhereAnEndIsReal) {
  EXPECT_THAT(shownValues("x = {from = 0.0, to = 1, count = 3}\n"),
              ElementsAre("0.0", "0.5", "1.0"));
}

TEST(ReadAxes, ARangeOfOneIsItsBeginning) {
  EXPECT_THAT(shownValues("n = {from = 5, to = 9, count = 1}\n"), ElementsAre("5"));
}

TEST(ReadAxes, TakesKeysNamedLikeTheEndsOfARange) {
  const auto axes = axesOf("w.from = [1, 2]\nw.to = {from = 1, to = 3, count = 3}\n");
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].key, "w.from");
  EXPECT_EQ(axes[0].values.size(), 2U);
  EXPECT_EQ(axes[1].key, "w.to");
  EXPECT_EQ(axes[1].values.size(), 3U);
}

TEST(ReadAxes, RunsDownwardsToo) {
  EXPECT_THAT(shownValues("n = {from = 8, to = 2, count = 3, scale = \"log2\"}\n"),
              ElementsAre("8", "4", "2"));
}

TEST(ReadAxes, WithoutACountARangeHasAllWholeNumbersOrAThousandSteps) {
  EXPECT_THAT(shownValues("n = {from = 3, to = 6}\n"), ElementsAre("3", "4", "5", "6"));
  const auto axes = axesOf("x = {from = 0.0, to = 2}\ny = {from = 1, to = 9, scale = \"log2\"}\n");
  EXPECT_EQ(axes[0].values.size(), 1001U);
  EXPECT_EQ(axes[0].values[500].shown, "1.0");
  EXPECT_EQ(axes[1].values.size(), 1001U);
}

TEST(ReadAxes, KnowsHowASearchMayMove) {
  const auto axes = axesOf(
      "a = [1, 2.5, 4]\nb = [4, 2, 1]\nc = [1, 4, 2]\nd = [\"x\", \"y\"]\n"
      "e = {from = 1, to = 9}\nf = {from = 1.0, to = 9.0}\ng = {from = 1.0, to = 9.0, count = "
      "3}\n");
  std::vector<AxisKind> kinds;
  for (const Axis& axis : axes) kinds.push_back(axis.kind);
  EXPECT_THAT(kinds, ElementsAre(AxisKind::Ordered, AxisKind::Ordered, AxisKind::Categorical,
                                 AxisKind::Categorical, AxisKind::Ordered, AxisKind::Continuous,
                                 AxisKind::Ordered));
}

struct BrokenAxis {
  const char* text;
  const char* message;
};

class BrokenAxes : public testing::TestWithParam<BrokenAxis> {};

TEST_P(BrokenAxes, AreNamedInOneLine) {
  const std::string message = configErrorOf([] { axesOf(GetParam().text); });
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, testing::Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenAxes,
    testing::Values(
        BrokenAxis{"n = 4\n", "sweep.toml:1: n: wanted a list of values"},
        BrokenAxis{"n = []\n", "n: wanted at least one value"},
        BrokenAxis{"n = [{a = 1}]\n", "n: wanted texts, numbers"},
        BrokenAxis{"w.n = [1]\n\"w.n\" = [2]\n", "wanted one axis of \"w.n\""},
        BrokenAxis{"n = {from = 1, to = 200000}\n", "n.to: wanted at most 100000 whole numbers"},
        BrokenAxis{"n = {from = 1, to = -2, scale = \"log2\", count = 3}\n", "n.to: wanted"},
        BrokenAxis{"n = {from = 0, to = 2, count = 2, scale = \"log2\"}\n", "n.from: wanted"},
        BrokenAxis{"n = {from = 1, to = 2, count = 2, scale = \"ln\"}\n", "one of linear, log2"},
        BrokenAxis{"n = {from = 1, to = 2, cuont = 2, count = 2}\n", "cuont: wanted count"},
        BrokenAxis{"n = {from = 1, to = 2, count = 1000000000}\n", "n.count: wanted"}));

}  // namespace
}  // namespace ipusim::sweep
