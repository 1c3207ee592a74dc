// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config_reader.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::ElementsAre;

constexpr const char* kText = "machine = \"gc200\"\n[workload]\nm = 1\n";

ConfigReader with(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  overrides.reserve(sets.size());
  for (const std::string& set : sets) overrides.push_back(Override::parse(set));
  return ConfigReader::fromText(kText, "f.toml", overrides);
}

TEST(Override, SplitsAtTheFirstEqualsSign) {
  const Override override = Override::parse("a.b=c=d");
  EXPECT_EQ(override.key, "a.b");
  EXPECT_EQ(override.value, "c=d");
  EXPECT_EQ(Override::parse("a=").value, "");
}

TEST(Override, RefusesWhatIsNoAssignment) {
  EXPECT_EQ(configErrorOf([] { Override::parse("machine"); }),
            "--set machine: wanted key=value, found no =");
  EXPECT_EQ(configErrorOf([] { Override::parse("=4"); }),
            "--set =4: wanted key=value, found no key");
  for (const char* text : {"a..b=1", ".a=1", "a.=1", "a b=1", "\"a\"=1", "a\n=1"}) {
    EXPECT_THROW(Override::parse(text), ConfigError) << text;
  }
}

TEST(Override, TakesATomlValueElseBareText) {
  const ConfigReader config = with({"a=4", "b=0.5", "c=half", "d=\"4\"", "e=[1, 2]", "f=007",
                                    "g=", "h=true", "i={x = 3}", "j=größe"});
  EXPECT_EQ(config.whole("a", 0, 9), 4U);
  EXPECT_DOUBLE_EQ(config.real("b", 0, 1), 0.5);
  EXPECT_EQ(config.text("c"), "half");
  EXPECT_EQ(config.text("d"), "4");
  EXPECT_THAT(config.wholes("e", 0, 9), ElementsAre(1, 2));
  EXPECT_EQ(config.text("f"), "007");
  EXPECT_EQ(config.text("g"), "");
  EXPECT_TRUE(config.flag("h", false));
  EXPECT_EQ(config.table("i").whole("x", 0, 9), 3U);
  EXPECT_EQ(config.text("j"), "größe");
}

TEST(Override, ReplacesAValueAndMakesMissingTables) {
  const ConfigReader config = with({"workload.m=2", "compare.gpu=a30"});
  EXPECT_EQ(config.table("workload").whole("m", 0, 9), 2U);
  EXPECT_EQ(config.table("compare").text("gpu"), "a30");
}

TEST(Override, OfAKeyBelowATextMakesThatTextTheBase) {
  const ConfigReader machine = with({"machine.tiles=4", "machine.clock_hz=1e9"}).table("machine");
  EXPECT_EQ(machine.text("base"), "gc200");
  EXPECT_EQ(machine.whole("tiles", 0, 9), 4U);
  EXPECT_DOUBLE_EQ(machine.real("clock_hz", 0, 1e12), 1e9);
}

TEST(Override, OfTheWholeForgetsEarlierOnesBelow) {
  EXPECT_EQ(with({"machine.tiles=4", "machine=bow"}).text("machine"), "bow");
  const ConfigReader machine = with({"machine=bow", "machine.tiles=4"}).table("machine");
  EXPECT_EQ(machine.text("base"), "bow");
}

TEST(Override, BelowANumberIsRefused) {
  EXPECT_EQ(configErrorOf([] { with({"workload.m.x=1"}); }),
            "--set workload.m.x: wanted workload.m to be a table, found 1 (f.toml:3)");
}

TEST(Override, RefusesBytesThatAreNoText) {
  EXPECT_EQ(configErrorOf([] { with({"a=x\xff"}); }),
            "--set a: wanted one line of UTF-8 text, found \"x\\xff\"");
  EXPECT_THROW(with({"a=1\nb = 2"}), ConfigError);
}

TEST(Override, IsWhereAnErrorPoints) {
  const auto found = [](const std::string& set, const char* key) {
    return configErrorOf([&] {
      const ConfigReader config = with({set});
      static_cast<void>(config.table("machine").whole(key, 0, 9));
    });
  };
  EXPECT_EQ(found("machine.tiles=-1", "tiles"),
            "--set machine.tiles: wanted a whole number in [0, 9], found -1");
  EXPECT_EQ(found("machine={tiles = -1}", "tiles"),
            "--set machine: machine.tiles: wanted a whole number in [0, 9], found -1");
  EXPECT_EQ(found("machine.tiles.x=1", "tiles"),
            "--set machine.tiles.x: machine.tiles: wanted a whole number in [0, 9], found a table");
  EXPECT_EQ(found("machine.tiles=1", "base"),
            "f.toml:1: machine.base: wanted a whole number in [0, 9], found \"gc200\"");
}

TEST(Override, ThatNobodyReadsIsAnError) {
  const ConfigReader config = with({"workload.n=3"});
  static_cast<void>(config.text("machine"));
  static_cast<void>(config.table("workload").whole("m", 0, 9));
  EXPECT_EQ(configErrorOf([&] { config.expectAllRead(); }),
            "--set workload.n: wanted one of m, found the unknown key \"n\"");
}

TEST(With, IsTheConfigWithFurtherOverrides) {
  const ConfigReader config =
      ConfigReader::fromText("a = 1\n[t]\nb = 2\nc = 3\n", "f.toml", {{"a", "4"}});
  const ConfigReader other = config.with({{"t.b", "5"}, {"new.d", "6"}});
  EXPECT_EQ(other.values().text(), R"({"a":4,"new":{"d":6},"t":{"b":5,"c":3}})");
  EXPECT_EQ(config.values().text(), R"({"a":4,"t":{"b":2,"c":3}})");
  EXPECT_EQ(other.with({{"t", "7"}}).values().text(), R"({"a":4,"new":{"d":6},"t":7})");
}

TEST(With, KeepsThePlacesOfTheFileAndOfEarlierOverrides) {
  const ConfigReader config =
      ConfigReader::fromText("a = 1\nm = \"toy\"\n[t]\nc = 3\nb = 2\n", "f.toml", {{"a", "4"}});
  const ConfigReader other = config.with({{"t.b", "5"}, {"m.n", "6"}});
  EXPECT_EQ(other.place("a"), "--set a");
  EXPECT_EQ(other.table("t").place("b"), "--set t.b");
  EXPECT_EQ(other.table("t").place("c"), "f.toml:4: t.c");
  EXPECT_EQ(other.table("m").place("base"), "f.toml:2: m.base");
  EXPECT_EQ(other.table("t").keys(), (std::vector<std::string>{"c", "b"}));
}

TEST(With, HasNotBeenRead) {
  const ConfigReader config = ConfigReader::fromText("a = 1\n", "f.toml");
  static_cast<void>(config.whole("a", 0, 9));
  const ConfigReader other = config.with({});
  EXPECT_THROW(other.expectAllRead(), ConfigError);
  static_cast<void>(other.whole("a", 0, 9));
  EXPECT_NO_THROW(other.expectAllRead());
}

}  // namespace
}  // namespace ipusim
