// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/expression.h"

#include <gmock/gmock.h>

#include <map>

#include "base/config/toml_hazard.h"
#include "ipusim/error.h"
#include "tests/support/thrown.h"

namespace ipusim::sweep {
namespace {

using testing::HasSubstr;

ExpressionValue valueOf(const std::string& key) {
  const std::map<std::string, ExpressionValue> values = {{"machine.tiles", 100.0},
                                                         {"workload.type", std::string("half")},
                                                         {"n", 8.0},
                                                         {"android", 3.0},
                                                         {"fits", ConditionValue{0}}};
  const auto found = values.find(key);
  if (found == values.end()) throw ConfigError("wanted a known key, found " + key);
  return found->second;
}

ConditionValue conditionOf(const std::string& text) {
  return Condition(text, "where").evaluate(valueOf);
}
std::string errorOf(const std::string& text) {
  return configErrorOf([&] { conditionOf(text); });
}

TEST(Condition, ComparesNumbers) {
  for (const char* holds : {"n < 9", "n <= 8", "n > 7", "n >= 8", "n == 8", "n != 9", "-n < 0"}) {
    EXPECT_TRUE(conditionOf(holds).holds()) << holds;
  }
  for (const char* fails : {"n < 8", "n <= 7", "n > 8", "n >= 9", "n == 9", "n != 8", "0 < -n"}) {
    EXPECT_FALSE(conditionOf(fails).holds()) << fails;
  }
}

TEST(Condition, BindsAsIsUsual) {
  EXPECT_TRUE(conditionOf("2 + 3 * n == 26").holds());
  EXPECT_TRUE(conditionOf("(2 + 3) * n == 40").holds());
  EXPECT_TRUE(conditionOf("100 - 10 - 1 == 89").holds());
  EXPECT_TRUE(conditionOf("64 / n / 2 == 4").holds());
  EXPECT_TRUE(conditionOf("n-1 == 7").holds());
  EXPECT_TRUE(conditionOf("n == 8 or n == 9 and n == 10").holds());
  EXPECT_FALSE(conditionOf("(n == 8 or n == 9) and n == 10").holds());
  EXPECT_FALSE(conditionOf("not n == 8").holds());
  EXPECT_TRUE(conditionOf("not (n == 9) and not n == 10").holds());
}

TEST(Condition, KnowsTextsFlagsAndDottedKeys) {
  EXPECT_TRUE(conditionOf(R"(workload.type == "half" and machine.tiles * n <= 800)").holds());
  EXPECT_FALSE(conditionOf(R"(workload.type != "half")").holds());
  EXPECT_TRUE(conditionOf("fits and fits == true and not false").holds());
  EXPECT_TRUE(conditionOf("android == 3").holds());
}

TEST(Condition, SaysHowFarItIsFromHolding) {
  EXPECT_DOUBLE_EQ(conditionOf("n <= 6").violation, 0.25);
  EXPECT_DOUBLE_EQ(conditionOf("n >= 10").violation, 0.2);
  EXPECT_DOUBLE_EQ(conditionOf("n <= 6 and n >= 10").violation, 0.45);
  EXPECT_DOUBLE_EQ(conditionOf("n <= 6 or n >= 10").violation, 0.2);
  EXPECT_DOUBLE_EQ(conditionOf("not fits").violation, 1);
  EXPECT_GT(conditionOf("n < 8").violation, 0);
  EXPECT_FALSE(conditionOf("0 / 0 < 1").holds());
}

TEST(Condition, SaysWhereItIsWrong) {
  EXPECT_EQ(errorOf("n <"),
            "where: wanted a number, a key, a text in quotes or (, found the end (character 4)");
  EXPECT_EQ(errorOf("n < 3 3"), "where: wanted an operator or the end, found \"3\" (character 7)");
  EXPECT_THAT(errorOf("(n < 3"), HasSubstr("wanted ')', found the end (character 7)"));
  EXPECT_THAT(errorOf("and"), HasSubstr("wanted a number, a key"));
  EXPECT_EQ(errorOf("1 < m"), "where: wanted a known key, found m (character 5)");
}

TEST(Condition, SaysWhichValuesDoNotGoTogether) {
  EXPECT_EQ(
      errorOf("n"),
      "where: wanted conditions beside and, or, not, and as the whole, found 8 (character 1)");
  EXPECT_EQ(errorOf("workload.type * 2 < 3"),
            "where: wanted numbers on both sides of + - * / < <= > >=, found \"half\" "
            "(character 15)");
  EXPECT_THAT(errorOf("1 < -fits"), HasSubstr("found a condition (character 5)"));
  EXPECT_THAT(errorOf("not n"), HasSubstr("as the whole, found 8 (character 3)"));
  EXPECT_EQ(errorOf("workload.type == 2"),
            "where: wanted values of one kind beside == and !=, found \"half\" and 2 "
            "(character 16)");
}

/// `part`, so many times.
std::string times(std::size_t count, const std::string& part) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(Condition, BoundsItsDepth) {
  EXPECT_TRUE(conditionOf(times(kMaxNesting, "(") + "n == 8" + times(kMaxNesting, ")")).holds());
  EXPECT_TRUE(conditionOf("8 == " + times(kMaxNesting, "- ") + "n").holds());
  for (const char* begin : {"(", "- ", "not ", "(-(not "}) {
    EXPECT_THAT(errorOf(times(kMaxNesting + 1, begin) + "n"),
                HasSubstr("where: wanted at most 32 parentheses, minus signs and nots within each "
                          "other, found "))
        << begin;
  }
}

TEST(Condition, BoundsItsLength) {
  std::string text = "n < 9";
  while (text.size() + 10 <= kLongestExpression) text += " and n < 9";
  EXPECT_TRUE(conditionOf(text).holds());
  text += std::string(kLongestExpression - text.size(), ' ');
  EXPECT_TRUE(conditionOf(text).holds());
  EXPECT_EQ(errorOf(text + ' '), "where: wanted at most 4096 characters, found 4097");
  EXPECT_THAT(errorOf(times(6'000, "(")), HasSubstr("found 6000"));
  EXPECT_THAT(errorOf(times(100'000, "-")), HasSubstr("found 100000"));
}

TEST(Condition, TakesEveryByteInTextsInQuotesAndNowhereElse) {
  EXPECT_FALSE(conditionOf("workload.type == \"h\xc3\xa4lf\"").holds());
  EXPECT_THAT(errorOf("n < \xc3\xa4"), HasSubstr("wanted a number, a key, a text in quotes or (, "
                                                 "found \"\xc3\xa4\" (character 5)"));
  EXPECT_THAT(errorOf("\xa0n < 3"), HasSubstr("found \"\\xa0n < 3\" (character 1)"));
  EXPECT_THAT(errorOf("true\xff"), HasSubstr("wanted an operator or the end, found \"\\xff\""));
}

TEST(Condition, HasNumbersInDigitsOnly) {
  EXPECT_TRUE(conditionOf(".5e1 == 5 and 5. == +5 and -5 < 0").holds());
  EXPECT_THAT(errorOf("nan < 3"), HasSubstr("wanted a known key, found nan"));
  EXPECT_THAT(errorOf("infinite.loop < 3"), HasSubstr("wanted a known key, found infinite.loop"));
  EXPECT_THAT(errorOf("nan(\"\xff) < 3\""), HasSubstr("wanted an operator or the end, found \"("));
}

TEST(ExpressionValue, IsWhatTheTextSays) {
  EXPECT_EQ(std::get<double>(expressionValue("1.5e3")), 1500);
  EXPECT_EQ(std::get<std::string>(expressionValue("\"a b\"")), "a b");
  EXPECT_EQ(std::get<std::string>(expressionValue("gc200")), "gc200");
  EXPECT_TRUE(std::get<ConditionValue>(expressionValue("true")).holds());
}

}  // namespace
}  // namespace ipusim::sweep
