// SPDX-License-Identifier: Apache-2.0
#include "base/preset_reader.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::HasSubstr;

/// A preset and a file `fitted.toml` beside it.
class PresetFiles : public testing::Test {
 protected:
  [[nodiscard]] ConfigReader preset(const std::string& text, const std::string& fitted) const {
    folder_.write("fitted.toml", fitted);
    return ConfigReader::fromFile(folder_.write("preset.toml", text));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(PresetFiles, HoldEachKeyOnce) {
  const PresetReader both(preset("include = \"fitted.toml\"\na = 1", "b = 2"));
  EXPECT_TRUE(both.has("a"));
  EXPECT_TRUE(both.has("b"));
  EXPECT_FALSE(both.has("c"));
  EXPECT_EQ(both.holderOf("a").whole("a", 0, 9), 1U);
  EXPECT_EQ(both.holderOf("b").whole("b", 0, 9), 2U);
  both.expectAllRead();
}

TEST_F(PresetFiles, RefuseAKeyInBoth) {
  const ConfigReader twice = preset("include = \"fitted.toml\"\na = 1", "a = 2");
  EXPECT_THAT(configErrorOf([&] { PresetReader reader(twice); }),
              HasSubstr("preset.toml:2: a: wanted each key once"));
}

TEST_F(PresetFiles, SayWhatNobodyRead) {
  const PresetReader both(preset("include = \"fitted.toml\"", "b = 2"));
  EXPECT_THAT(configErrorOf([&] { both.expectAllRead(); }), HasSubstr("fitted.toml:1: b: "));
}

TEST_F(PresetFiles, NeedNoSecondOne) {
  const PresetReader one(preset("a = 1", ""));
  EXPECT_TRUE(one.has("a"));
  EXPECT_FALSE(one.has("include"));
}

}  // namespace
}  // namespace ipusim
