// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kZipAxes = R"(
[axes]
m = [1, 2]
type = ["half"]
n = [4, 3]
k = [7, 8, 9]
tiles = [5, 6]
)";

std::vector<Dimension> dimensionsOf(const std::string& zip) {
  const auto config = ConfigReader::fromText(zip + kZipAxes, "sweep.toml");
  return zipAxes(config, readAxes(config.table("axes")));
}

std::vector<std::string> keysOf(const std::string& zip) {
  std::vector<std::string> keys;
  for (const Dimension& dimension : dimensionsOf(zip)) {
    keys.emplace_back();
    for (const Axis& axis : dimension.axes) keys.back() += axis.key + ' ';
  }
  return keys;
}

TEST(ZipAxes, EachAxisIsByItselfWithoutAList) {
  EXPECT_THAT(keysOf(""), ElementsAre("m ", "type ", "n ", "k ", "tiles "));
  EXPECT_THAT(keysOf("zip = []"), ElementsAre("m ", "type ", "n ", "k ", "tiles "));
}

TEST(ZipAxes, AListStandsWhereItsFirstAxisStands) {
  EXPECT_THAT(keysOf(R"(zip = [["n", "m"]])"), ElementsAre("m n ", "type ", "k ", "tiles "));
}

TEST(ZipAxes, TakesAListOfThree) {
  EXPECT_THAT(keysOf(R"(zip = [["m", "n", "tiles"]])"), ElementsAre("m n tiles ", "type ", "k "));
}

TEST(ZipAxes, PairsRoundedRangesByTheirPlace) {
  // 1, 1.41, 2 and 2, 1.41, 1: rounded they are 1, 1, 2 and 2, 1, 1.
  const auto config = ConfigReader::fromText(
      "zip = [[\"a\", \"b\"]]\n[axes]\n"
      "a = {from = 1, to = 2, count = 3, scale = \"log2\"}\n"
      "b = {from = 2, to = 1, count = 3, scale = \"log2\"}\n",
      "sweep.toml");
  const Dimension pairs = zipAxes(config, readAxes(config.table("axes"))).front();
  ASSERT_EQ(pairs.count(), 3U);
  EXPECT_EQ(pairs.axes[0].values[1].toml + pairs.axes[1].values[1].toml, "11");
}

TEST(ZipAxes, TakesAPointLikeTheOneBeforeOnce) {
  const auto config =
      ConfigReader::fromText("[axes]\na = {from = 1, to = 2, count = 9}\n", "sweep.toml");
  EXPECT_EQ(zipAxes(config, readAxes(config.table("axes"))).front().count(), 2U);
}

TEST(ZipAxes, TakesSeveralLists) {
  const auto config = ConfigReader::fromText(
      "zip = [[\"c\", \"d\"], [\"a\", \"b\"]]\n"
      "[axes]\na = [1, 2]\nb = [1, 2]\nc = [1]\nd = [1]\n",
      "sweep.toml");
  const auto dimensions = zipAxes(config, readAxes(config.table("axes")));
  ASSERT_EQ(dimensions.size(), 2U);
  EXPECT_EQ(dimensions[0].count(), 2U);
  EXPECT_EQ(dimensions[1].count(), 1U);
}

struct BrokenZip {
  const char* zip;
  const char* message;
};

class BrokenZips : public testing::TestWithParam<BrokenZip> {};

TEST_P(BrokenZips, AreNamedInOneLine) {
  const std::string message = configErrorOf([] { dimensionsOf(GetParam().zip); });
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, testing::StartsWith("sweep.toml:1: zip: wanted "));
  EXPECT_THAT(message, testing::Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenZips,
    testing::Values(BrokenZip{"zip = 3", "lists of two axes or more, like [[\"workload.m\""},
                    BrokenZip{R"(zip = ["m", "n"])", "lists of two axes or more"},
                    BrokenZip{R"(zip = [["m"]])", "lists of two axes or more"},
                    BrokenZip{R"(zip = [["m", 4]])", "lists of two axes or more"},
                    BrokenZip{R"(zip = [["m", "tile"]])",
                              "keys of [axes], not \"tile\" (did you mean tiles?)"},
                    BrokenZip{R"(zip = [["m", "n"], ["tiles", "m"]])", "\"m\" once"},
                    BrokenZip{R"(zip = [["m", "m"]])", "\"m\" once"},
                    BrokenZip{R"(zip = [["m", "k"]])",
                              "axes of equal length (\"m\" has 2 "
                              "values, \"k\" has 3)"}));

}  // namespace
}  // namespace ipusim::sweep
