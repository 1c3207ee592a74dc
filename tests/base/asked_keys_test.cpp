// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config_reader.h"
#include "base/config/key_request.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// An entry is "key: type; range; default", with "?" after a key that may be left out.
std::vector<std::string> entries(const ConfigReader& config) {
  std::vector<std::string> texts;
  for (const AskedKey& key : config.askedKeys()) {
    texts.push_back(key.key + (key.is_optional ? "?: " : ": ") + key.type + "; " + key.range +
                    "; " + key.otherwise);
  }
  return texts;
}

ConfigReader reader(const std::string& text) {
  return ConfigReader::fromText(text, "f.toml");
}

TEST(AskedKeys, SayTypeRangeAndDefault) {
  const ConfigReader config = reader("m = 3\nlist = [1]\nwords = [\"a\"]\nname = \"n\"");
  EXPECT_THAT(entries(config), IsEmpty());
  static_cast<void>(config.whole("m", 1, 8));
  static_cast<void>(config.wholes("list", 0, 4));
  static_cast<void>(config.texts("words", {}));
  static_cast<void>(config.text("name"));
  static_cast<void>(config.real("share", 0, 0.5, 0.25));
  static_cast<void>(config.choice("type", {"half", "float"}, "float"));
  static_cast<void>(config.flag("on", true));
  EXPECT_THAT(
      entries(config),
      ElementsAre("list: list of whole numbers; 0 to 4; ", "m: whole number; 1 to 8; ",
                  "name: text; ; ", "on?: true or false; ; true", "share?: number; 0 to 0.5; 0.25",
                  "type?: one of; half, float; float", "words?: list of texts; ; "));
}

TEST(AskedKeys, AreOptionalWhereAReaderLooksWhetherTheyAreThere) {
  const ConfigReader config = reader("m = 3");
  static_cast<void>(config.has("n"));
  static_cast<void>(config.isTable("m"));
  static_cast<void>(config.whole("m", 1, 8));
  EXPECT_THAT(entries(config), ElementsAre("m: whole number; 1 to 8; ", "n?: ; ; "));
}

TEST(AskedKeys, AreNotThoseThatAreLookedAtOnly) {
  const ConfigReader config = reader("type = \"half\"\nm = 3");
  EXPECT_EQ(config.peekText("type"), "half");
  EXPECT_EQ(config.peekText("m"), std::nullopt);
  EXPECT_EQ(config.peekText("n"), std::nullopt);
  EXPECT_THAT(entries(config), IsEmpty());
}

TEST(AskedKeys, AreThoseOfAllTables) {
  const ConfigReader config = reader("[t]\nm = 3");
  static_cast<void>(config.table("t").whole("m", 1, 8));
  EXPECT_THAT(entries(config), ElementsAre("t: table; ; ", "t.m: whole number; 1 to 8; "));
}

TEST(AskedKeys, StayChoicesWhenTheyAreReadAsTextsAgain) {
  const ConfigReader config = reader("type = \"half\"");
  static_cast<void>(config.choice("type", {"half"}));
  static_cast<void>(config.text("type"));
  EXPECT_THAT(entries(config), ElementsAre("type: one of; half; "));
}

TEST(Texts, AreAListOfTextsOrWhatHoldsOtherwise) {
  const ConfigReader config = reader("a = [\"x\", \"y\"]\nb = []\nc = \"x\"\nd = [1]");
  EXPECT_THAT(config.texts("a", {}), ElementsAre("x", "y"));
  EXPECT_THAT(config.texts("b", {"x"}), IsEmpty());
  EXPECT_THAT(config.texts("e", {"x"}), ElementsAre("x"));
  EXPECT_EQ(configErrorOf([&] { static_cast<void>(config.texts("c", {})); }),
            "f.toml:3: c: wanted a list of texts, found \"x\"");
  EXPECT_EQ(configErrorOf([&] { static_cast<void>(config.texts("d", {})); }),
            "f.toml:4: d: wanted a list of texts, found an array");
}

}  // namespace
}  // namespace ipusim
