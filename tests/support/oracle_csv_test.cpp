// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "tests/support/temporary_folder.h"

namespace ipusim::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

OracleTable tableOf(const std::string& text) {
  std::istringstream in(text);
  return parseOracle(in, "toy.csv");
}

std::string errorOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const OracleError& error) {
    return error.what();
  }
  return "no error";
}

/// Lets IPUSIM_ORACLE_DIR name a folder during a test.
class NamedOracleFolder : public testing::Test {
 protected:
  void SetUp() override {
    const char* const before = std::getenv("IPUSIM_ORACLE_DIR");
    if (before != nullptr) before_ = before;
    setenv("IPUSIM_ORACLE_DIR", folder_.path().c_str(), 1);
  }
  void TearDown() override {
    if (before_) {
      setenv("IPUSIM_ORACLE_DIR", before_->c_str(), 1);
    } else {
      unsetenv("IPUSIM_ORACLE_DIR");
    }
  }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }

  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

TEST(OracleRow, FindsCellsByTheNameOfTheirColumn) {
  const OracleTable table = tableOf("a,b,cycles\n1,x,30\n2,y,40\n");
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].number("a"), 2U);
  EXPECT_EQ(table[1].text("b"), "y");
  EXPECT_EQ(table[1].cycles(), Cycles(40));
  EXPECT_TRUE(table[1].has("b"));
  EXPECT_FALSE(table[1].has("c"));
}

TEST(OracleRow, HasCommasInQuotedCells) {
  const OracleTable table = tableOf("a,b,c\n1,\"x,y; z\",3\n");
  EXPECT_EQ(table[0].text("b"), "x,y; z");
  EXPECT_EQ(table[0].number("c"), 3U);
}

TEST(OracleRow, ReadsListsAndOneListAWorker) {
  const OracleTable table = tableOf("s,w\n3;0;7,1;2|-|5\n-,-\n");
  EXPECT_THAT(table[0].list("s"), ElementsAre(3U, 0U, 7U));
  EXPECT_THAT(table[0].workers("w"), ElementsAre(ElementsAre(1U, 2U), IsEmpty(), ElementsAre(5U)));
  EXPECT_THAT(table[1].list("s"), IsEmpty());
  EXPECT_THAT(table[1].workers("w"), IsEmpty());
}

TEST(OracleRow, ReadsPairsAndWords) {
  const OracleTable table = tableOf("p,t\n16x13;3x2,half;float\n-,\n3x,half\n1x2x3,half\n");
  EXPECT_THAT(table[0].pairs("p", 'x'), ElementsAre(Pair(16U, 13U), Pair(3U, 2U)));
  EXPECT_THAT(table[0].words("t"), ElementsAre("half", "float"));
  EXPECT_THAT(table[1].pairs("p", 'x'), IsEmpty());
  EXPECT_THAT(table[1].words("t"), IsEmpty());
  EXPECT_EQ(errorOf([&] { (void)table[2].pairs("p", 'x'); }),
            "toy.csv:4: p: wanted pairs of whole numbers, found 3x");
  EXPECT_THROW((void)table[3].pairs("p", 'x'), OracleError);
}

TEST(OracleRow, ReadsTheLinesOfAnyEditor) {
  const OracleTable table = tableOf("a,cycles\r\n1,2\r\n\r\n3,4");
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].cycles(), Cycles(4));
  EXPECT_EQ(table[1].where(), "toy.csv:4");
}

TEST(OracleRow, NamesFileLineAndColumnOfWhatIsWrong) {
  const OracleTable table = tableOf("op,n,s\nADD,-3,1|2\n");
  const OracleRow& row = table.front();
  EXPECT_EQ(errorOf([&] { (void)row.text("size"); }), "toy.csv:2: size: no such column");
  EXPECT_EQ(errorOf([&] { (void)row.number("n"); }),
            "toy.csv:2: n: wanted a whole number, found -3");
  EXPECT_EQ(errorOf([&] { (void)row.list("s"); }), "toy.csv:2: s: wanted one list, found 1|2");
  EXPECT_EQ(errorOf([&] { throw row.unknown("op"); }), "toy.csv:2: op: unknown: ADD");
}

TEST(OracleTable, RefusesWhatIsNoTable) {
  EXPECT_EQ(errorOf([] { tableOf(""); }), "toy.csv:1: no header");
  EXPECT_EQ(errorOf([] { tableOf("a,b\n"); }), "toy.csv:1: no rows");
  EXPECT_EQ(errorOf([] { tableOf("a,a\n1,2\n"); }), "toy.csv:1: column a is there twice");
  EXPECT_EQ(errorOf([] { tableOf("a,b\n1,2\n3\n"); }), "toy.csv:3: wanted 2 cells, found 1");
}

TEST_F(NamedOracleFolder, GivesItsOwnRows) {
  write("fill.csv", "vertex,cycles\nFill,123\n");
  EXPECT_EQ(readOracle("fill.csv").front().cycles(), Cycles(123));
}

TEST_F(NamedOracleFolder, MayLackAFileIfItHoldsAnother) {
  write("fill.csv", "vertex,cycles\nFill,123\n");
  EXPECT_FALSE(findOracle("cast.csv").has_value());
  EXPECT_THAT(errorOf([] { (void)readOracle("cast.csv"); }), HasSubstr("cast.csv: not in"));
}

TEST_F(NamedOracleFolder, MustHoldOneFileAtLeast) {
  EXPECT_THAT(errorOf([] { (void)findOracle("fill.csv"); }), HasSubstr("holds none of the files"));
  write("unheard_of.csv", "vertex,cycles\nFill,123\n");
  EXPECT_THAT(errorOf([] { (void)findOracle("fill.csv"); }), HasSubstr("holds none of the files"));
  setenv("IPUSIM_ORACLE_DIR", (folder_ / "nowhere").c_str(), 1);
  EXPECT_THAT(errorOf([] { (void)findOracle("fill.csv"); }), HasSubstr("holds none of the files"));
}

TEST_F(NamedOracleFolder, FailsOnARowWithOtherCycles) {
  write("fill.csv", "vertex,cycles\nFill,123\n");
  EXPECT_NONFATAL_FAILURE(
      expectOracleCycles("fill.csv", [](const OracleRow&) { return Cycles(122); }), "fill.csv:2");
}

TEST_F(NamedOracleFolder, CountsTheRowsThatDiffer) {
  write("fill.csv", "vertex,cycles\nFill,123\nFill,124\nPour,123\n");
  const auto cost = [](const OracleRow& row) {
    if (row.text("vertex") != "Fill") throw row.unknown("vertex");
    return Cycles(123);
  };
  EXPECT_NONFATAL_FAILURE(expectOracleCycles("fill.csv", cost), "fill.csv: 1 of 3 rows equal");
  EXPECT_NONFATAL_FAILURE(expectOracleCycles("fill.csv", cost),
                          "fill.csv:3: 123 cycles, published 124");
  EXPECT_NONFATAL_FAILURE(expectOracleCycles("fill.csv", cost),
                          "fill.csv:4: vertex: unknown: Pour");
}

TEST_F(NamedOracleFolder, LeavesNoRowOut) {
  write("fill.csv", "vertex,cycles\nFill,123\nPour,1\n");
  const auto know_filling = [](const OracleRow& row) {
    if (row.text("vertex") != "Fill") throw row.unknown("vertex");
    return Cycles(123);
  };
  EXPECT_NONFATAL_FAILURE(expectOracleCycles("fill.csv", know_filling),
                          "fill.csv:3: vertex: unknown: Pour");
}

TEST_F(NamedOracleFolder, FailsOnARowNobodyKnowsAndGoesOn) {
  write("fill.csv", "vertex,cycles\nPour,1\nFill,123\n");
  int rows = 0;
  const auto know_nothing_first = [&](const OracleRow& row) {
    if (++rows == 1) throw row.unknown("vertex");
  };
  EXPECT_NONFATAL_FAILURE(forEachOracleRow("fill.csv", know_nothing_first),
                          "fill.csv:2: vertex: unknown: Pour");
  EXPECT_EQ(rows, 2);
}

}  // namespace
}  // namespace ipusim::tests
