// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::ElementsAre;

ConfigReader readerOfText(const std::string& text) {
  return ConfigReader::fromText(text, "f.toml");
}

TEST(ConfigReader, ReadsEachKindOfValue) {
  const ConfigReader config = readerOfText(R"(
    word = "float"
    count = 4096
    share = 0.5
    on = true
    sizes = [1, 2, 3]
    [workload]
    m = 7
  )");
  EXPECT_EQ(config.text("word"), "float");
  EXPECT_EQ(config.choice("word", {"half", "float"}), "float");
  EXPECT_EQ(config.whole("count", 1, 4096), 4096U);
  EXPECT_DOUBLE_EQ(config.real("share", 0, 1), 0.5);
  EXPECT_TRUE(config.flag("on", false));
  EXPECT_THAT(config.wholes("sizes", 1, 3), ElementsAre(1, 2, 3));
  EXPECT_EQ(config.table("workload").whole("m", 0, 10), 7U);
  EXPECT_NO_THROW(config.expectAllRead());
}

TEST(ConfigReader, TakesAWholeNumberForARealOne) {
  EXPECT_DOUBLE_EQ(readerOfText("a = 2").real("a", 0, 10), 2.0);
}

TEST(ConfigReader, TakesARealNumberForAWholeOneWhereItIsWhole) {
  const ConfigReader config = readerOfText("a = 150e9\nb = 2.5\nc = [1e3, 2]\nd = 1e17\ne = -1e3");
  constexpr std::uint64_t kMost = kLargestToml;
  EXPECT_EQ(config.whole("a", 0, kMost), 150'000'000'000U);
  EXPECT_EQ(config.wholes("c", 0, 5000), (std::vector<std::uint64_t>{1000, 2}));
  EXPECT_EQ(configErrorOf([&] { static_cast<void>(config.whole("b", 0, 10)); }),
            "f.toml:2: b: wanted a whole number in [0, 10], found 2.5");
  // Beyond 2^53 the number may not be the one that was written.
  for (const char* key : {"d", "e"}) {
    EXPECT_NE(configErrorOf([&] { static_cast<void>(config.whole(key, 0, kMost)); }), "") << key;
  }
}

TEST(ConfigReader, GivesTheOtherwiseOnlyForAKeyThatIsNotThere) {
  const ConfigReader config = readerOfText("a = 2\nt = \"x\"");
  EXPECT_EQ(config.whole("b", 0, 10, 5), 5U);
  EXPECT_EQ(config.whole("a", 0, 10, 5), 2U);
  EXPECT_EQ(config.text("u", "y"), "y");
  EXPECT_EQ(config.choice("t", {"x", "y"}, "y"), "x");
  EXPECT_DOUBLE_EQ(config.real("r", 0, 1, 0.25), 0.25);
  EXPECT_TRUE(config.flag("g", true));
  EXPECT_THROW(static_cast<void>(config.whole("a", 3, 10, 5)), ConfigError);
}

TEST(ConfigReader, ToldOfAMissingKeyPointsAtItsTableAndTheNearestOther) {
  const ConfigReader config = readerOfText("\n\n[workload]\ntyp = \"half\"");
  EXPECT_EQ(configErrorOf([&] { static_cast<void>(config.table("workload").text("type")); }),
            "f.toml:3: workload.type: wanted a text, found nothing, but \"typ\"");
  EXPECT_EQ(configErrorOf([&] { static_cast<void>(config.text("machine")); }),
            "f.toml:1: machine: wanted a text, found nothing");
}

TEST(ConfigReader, NamesTheNearestChoice) {
  const ConfigReader config = readerOfText("type = \"flaot\"");
  EXPECT_EQ(configErrorOf([&] {
              static_cast<void>(config.choice("type", {"float", "half"}));
            }),
            "f.toml:1: type: wanted one of float, half (did you mean float?), found \"flaot\"");
}

TEST(ConfigReader, ListsTheKeysOfATableAsTheFileHasThem) {
  EXPECT_THAT(readerOfText("b = 1\na = 2\n[z]\n[c]\n").keys(), ElementsAre("b", "a", "z", "c"));
}

TEST(ConfigReader, TellsTablesFromValues) {
  const ConfigReader config = readerOfText("machine = \"gc200\"\n[workload]");
  EXPECT_TRUE(config.has("machine"));
  EXPECT_FALSE(config.isTable("machine"));
  EXPECT_TRUE(config.isTable("workload"));
  EXPECT_FALSE(config.has("compare"));
}

TEST(ConfigReader, GivesTheCallersRuleThePlaceOfTheKey) {
  EXPECT_STREQ(readerOfText("a = 1\nn = 9").error("n", "a divisor of 8").what(),
               "f.toml:2: n: wanted a divisor of 8, found 9");
}

TEST(ExpectAllRead, NamesTheFirstKeyThatNobodyRead) {
  const ConfigReader config = readerOfText("[workload]\nm = 1\ntyppe = \"half\"");
  const ConfigReader workload = config.table("workload");
  static_cast<void>(workload.whole("m", 0, 9));
  static_cast<void>(workload.text("type", "float"));
  EXPECT_EQ(configErrorOf([&] { config.expectAllRead(); }),
            "f.toml:3: workload.typpe: wanted type, found the unknown key \"typpe\"");
}

TEST(ExpectAllRead, ListsWhatWasAskedForWhenNothingIsNear) {
  const ConfigReader config = readerOfText("m = 1\nbanana = 2");
  static_cast<void>(config.whole("m", 0, 9));
  static_cast<void>(config.has("machine"));
  EXPECT_EQ(configErrorOf([&] { config.expectAllRead(); }),
            "f.toml:2: banana: wanted one of m, machine, found the unknown key \"banana\"");
}

TEST(ExpectAllRead, ListsManyAtTheEndOfTheLine) {
  const ConfigReader config = readerOfText("m = 1\nbanana = 2");
  std::string list;
  for (char name = 'a'; name <= 'm'; ++name) {
    static_cast<void>(config.has("key_" + std::string(1, name)));
    list += (list.empty() ? "key_" : ", key_") + std::string(1, name);
  }
  EXPECT_EQ(configErrorOf([&] { config.expectAllRead(); }),
            "f.toml:1: m: wanted a known key, found the unknown key \"m\"; known are " + list);
}

TEST(ExpectAllRead, NamesTheNearestOfVeryManyKeys) {
  const ConfigReader config = readerOfText("sync_hops_of_a_row = 1");
  static_cast<void>(config.has("sync_cycles_per_row"));
  for (char name = 'a'; name <= 'z'; ++name) {
    static_cast<void>(config.has("key_" + std::string(1, name)));
    static_cast<void>(config.has("other_" + std::string(1, name)));
  }
  const std::string message = configErrorOf([&] { config.expectAllRead(); });
  EXPECT_NE(message.find("the nearest of 53 are sync_cycles_per_row"), std::string::npos)
      << message;
  EXPECT_NE(message.find("`ipusim list keys` has all"), std::string::npos);
  EXPECT_LT(message.size(), 300U);
}

TEST(Place, IsHowTheErrorsOfAKeyBegin) {
  const ConfigReader config = ConfigReader::fromText("a = 1\nb = 2\n", "f.toml", {{"a", "3"}});
  EXPECT_EQ(config.place("b"), "f.toml:2: b");
  EXPECT_EQ(config.place("a"), "--set a");
}

TEST(ExpectAllRead, SharesItsMemoryWithCopiesAndSubtables) {
  const ConfigReader config = readerOfText("a = 1\n[t]\nb = 2");
  const std::vector<ConfigReader> copies(2, config);
  static_cast<void>(copies[0].whole("a", 0, 9));
  static_cast<void>(copies[1].table("t").whole("b", 0, 9));
  EXPECT_NO_THROW(config.expectAllRead());
}

TEST(ConfigValues, ReadBackTheSameNumbersFromTheirText) {
  const ConfigReader config = readerOfText(
      "b = 0.1\na = [1, -2.0]\nd = 2026-11-21\ni = inf\nt = true\n[s]\nx = \"q\\\"\\n\"");
  EXPECT_EQ(config.values().text(),
            R"({"a":[1,-2.0],"b":0.1,"d":"2026-11-21","i":"inf","s":{"x":"q\"\n"},"t":true})");
  EXPECT_EQ(config.table("s").values().text(), R"({"x":"q\"\n"})");
}

}  // namespace
}  // namespace ipusim
