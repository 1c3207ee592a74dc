// SPDX-License-Identifier: Apache-2.0
#include "base/config/preset_chain.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/text/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

/// A preset and a file `fitted.toml` beside it.
class PresetFiles : public testing::Test {
 protected:
  [[nodiscard]] ConfigReader preset(const std::string& text, const std::string& fitted) const {
    write("fitted.toml", fitted);
    return read("preset.toml", text);
  }
  [[nodiscard]] PresetLayer layer(const std::string& text, const std::string& fitted) const {
    return {preset(text, fitted), NumberForm::Sourced};
  }
  [[nodiscard]] ConfigReader read(const std::string& name, const std::string& text) const {
    return ConfigReader::fromFile(folder_.write(name, text));
  }
  void write(const std::string& name, const std::string& text) const {
    (void)folder_.write(name, text);
  }
  /// The chain that a config with that text, beside the presets, names by its key `machine`.
  [[nodiscard]] PresetChain chain(const std::string& text) const {
    return {PresetFolder("none"), read("run.toml", text), "machine"};
  }

 private:
  TemporaryFolder folder_;
};

std::uint64_t numberOf(const PresetLayer& layer, const std::string& key) {
  const ConfigPlace number = layer.numberAt(key, "a table");
  return number.table.whole(number.key, 0, 99);
}

TEST_F(PresetFiles, HoldEachKeyOnce) {
  const PresetLayer both = layer("include = \"fitted.toml\"\na = {value = 1, source = \"s\"}",
                                 "b = {value = 2, source = \"s\"}");
  EXPECT_TRUE(both.has("a"));
  EXPECT_TRUE(both.has("b"));
  EXPECT_FALSE(both.has("c"));
  EXPECT_EQ(numberOf(both, "a"), 1U);
  EXPECT_EQ(numberOf(both, "b"), 2U);
  both.expectAllRead();
}

TEST_F(PresetFiles, RefuseAKeyInBoth) {
  const ConfigReader twice = preset("include = \"fitted.toml\"\na = 1", "a = 2");
  EXPECT_THAT(configErrorOf([&] { PresetLayer(twice, NumberForm::Sourced); }),
              HasSubstr("preset.toml:2: a: wanted each key once"));
}

TEST_F(PresetFiles, SayWhatNobodyRead) {
  const PresetLayer both = layer("include = \"fitted.toml\"", "b = 2");
  EXPECT_THAT(configErrorOf([&] { both.expectAllRead(); }), HasSubstr("fitted.toml:1: b: "));
}

TEST_F(PresetFiles, NeedNoSecondOne) {
  const PresetLayer one = layer("a = 1", "");
  EXPECT_TRUE(one.has("a"));
  EXPECT_FALSE(one.has("include"));
}

TEST_F(PresetFiles, NameTheSourceOfANumber) {
  const PresetLayer bare = layer("a = 1\nb = {value = 1, source = \" \"}", "");
  EXPECT_THAT(configErrorOf([&] { (void)numberOf(bare, "a"); }),
              HasSubstr("preset.toml:1: a: wanted a table, found 1"));
  EXPECT_THAT(configErrorOf([&] { (void)numberOf(bare, "b"); }),
              HasSubstr("preset.toml:2: b.source: wanted a text that says where"));
}

TEST_F(PresetFiles, StandOnTheirBases) {
  write("low.toml", "a = {value = 1, source = \"s\"}\nb = {value = 1, source = \"s\"}\n");
  write("fitted.toml", "c = {value = 2, source = \"s\"}\n");
  write("high.toml",
        "base = \"low.toml\"\ninclude = \"fitted.toml\"\nb = {value = 2, source = \"\"}");
  const PresetChain found = chain("[machine]\nbase = \"high.toml\"\nc = 3\nname = \"mine\"\n");
  ASSERT_EQ(found.layers().size(), 3U);
  EXPECT_EQ(numberOf(found.layers()[0], "b"), 1U);
  EXPECT_EQ(numberOf(found.layers()[1], "c"), 2U);
  EXPECT_EQ(numberOf(found.layers()[2], "c"), 3U);
  EXPECT_EQ(found.valueOf("a"), SortedJson(1U));
  EXPECT_EQ(found.valueOf("b"), SortedJson(2U));
  EXPECT_EQ(found.valueOf("c"), SortedJson(3U));
  EXPECT_EQ(found.valueOf("name"), SortedJson("mine"));
  EXPECT_EQ(found.valueOf("d"), std::nullopt);
}

TEST_F(PresetFiles, DoNotStandOnThemselves) {
  write("one.toml", "base = \"two.toml\"\n");
  write("two.toml", "base = \"one.toml\"\n");
  EXPECT_THAT(configErrorOf([&] { (void)chain("machine = \"one.toml\"\n"); }),
              HasSubstr("two.toml:1: base: wanted a preset that does not lead back to this one"));
}

TEST_F(PresetFiles, AreNamedByAPathThatEndsInTomlOrHasASlash) {
  write("a.b", "x = 1\n");
  EXPECT_THAT(configErrorOf([&] { (void)chain("machine = \"a.b\"\n"); }),
              HasSubstr("run.toml:1: machine: wanted a path (there are no presets"));
  EXPECT_EQ(chain("machine = \"./a.b\"\n").valueOf("x"), SortedJson(1U));
}

}  // namespace
}  // namespace ipusim
