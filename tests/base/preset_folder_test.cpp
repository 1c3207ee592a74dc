// SPDX-License-Identifier: Apache-2.0
#include "base/config/preset_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PresetFolderTest : public testing::Test {
 protected:
  PresetFolderTest() {
    std::filesystem::create_directories(folder_ / "p");
    folder_.write("p/first.toml", "n = 1\n");
    folder_.write("p/broken.toml", "n = \n");
    setenv("IPUSIM_HOME", folder_.path().c_str(), 1);
  }
  ~PresetFolderTest() override { unsetenv("IPUSIM_HOME"); }

  static ConfigReader config(const std::string& reference) {
    return ConfigReader::fromText("\nkey = \"" + reference + "\"\n", "c.toml");
  }
  static std::string errorOf(const PresetFolder& presets, const std::string& reference) {
    return configErrorOf([&] { (void)presets.readAt(config(reference), "key"); });
  }

  TemporaryFolder folder_;
  PresetFolder presets_{"p"};
};

TEST_F(PresetFolderTest, ReadsAPresetByNameAndAFileByPath) {
  EXPECT_EQ(presets_.readAt(config("first"), "key").whole("n", 0, 9), 1U);
  const std::string path = (folder_ / "p" / "first.toml").string();
  EXPECT_EQ(presets_.readAt(config(path), "key").whole("n", 0, 9), 1U);
}

TEST_F(PresetFolderTest, NamesThePresetsThatThereAre) {
  EXPECT_EQ(errorOf(presets_, "frist"),
            "c.toml:2: key: wanted one of broken, first, or a path (did you mean first?), "
            "found \"frist\"");
}

TEST_F(PresetFolderTest, SaysWhereThereAreNone) {
  const std::string places =
      "a path (there are no presets: none in gone, " + (folder_ / "gone").string() + ")";
  EXPECT_EQ(errorOf(PresetFolder("gone"), "first"),
            "c.toml:2: key: wanted " + places + ", found \"first\"");
  EXPECT_EQ(configErrorOf([] { (void)PresetFolder("gone").read("first", "machine"); }),
            "machine: wanted " + places + ", found \"first\"");
}

TEST_F(PresetFolderTest, ListsNoneInSilence) {
  EXPECT_THAT(presets_.names(), testing::ElementsAre("broken", "first"));
  EXPECT_EQ(configErrorOf([] { (void)PresetFolder("gone").names(); }),
            "gone: wanted presets, found none in gone, " + (folder_ / "gone").string());
}

TEST_F(PresetFolderTest, AFileThatCannotBeReadIsToldAtTheKey) {
  EXPECT_THAT(errorOf(presets_, "broken"), StartsWith("c.toml:2: key: "));
  EXPECT_THAT(errorOf(presets_, "broken"), HasSubstr("broken.toml:1: wanted TOML"));
  EXPECT_THAT(errorOf(presets_, (folder_ / "p").string()),
              HasSubstr("c.toml:2: key: " + (folder_ / "p").string() +
                        ": wanted a file, found a directory"));
}

}  // namespace
}  // namespace ipusim
