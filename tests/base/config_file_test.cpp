// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/config/config_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

/// Gives each test a folder, removed afterwards, and restores the working directory.
class ConfigFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "tree");
    fs::create_directories(folder_ / "work");
    fs::create_directories(folder_ / "runs");
    fs::current_path(folder_ / "work");
    setenv("IPUSIM_HOME", (folder_ / "tree").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("IPUSIM_HOME");
    fs::current_path(start_);
  }

  /// Returns the path of the new file.
  fs::path write(const std::string& name, const std::string& text) {
    return folder_.write(name, text);
  }
  static std::string errorOf(const fs::path& path) {
    return configErrorOf([&] { ConfigReader::fromFile(path); });
  }

  TemporaryFolder folder_;
  fs::path start_ = fs::current_path();
};

TEST_F(ConfigFile, IsSoughtBesideTheNamingFileThenHereThenInTheTree) {
  const fs::path beside = folder_ / "runs" / "run.toml";
  const fs::path in_tree = write("tree/a.toml", "");
  EXPECT_EQ(findConfigFile("a.toml", beside), in_tree);
  write("work/a.toml", "");
  EXPECT_EQ(findConfigFile("a.toml", beside), "a.toml");
  const fs::path near = write("runs/a.toml", "");
  EXPECT_EQ(findConfigFile("a.toml", beside), near);
  EXPECT_EQ(findConfigFile("a.toml", {}), "a.toml");
  EXPECT_EQ(findConfigFile(in_tree.string(), beside), in_tree);
}

TEST_F(ConfigFile, ThatIsNowhereNamesEveryPlaceTried) {
  const std::string message =
      configErrorOf([&] { findConfigFile("no.toml", folder_ / "runs" / "run.toml"); });
  EXPECT_EQ(message, "\"no.toml\": wanted a file, found none at " +
                         (folder_ / "runs/no.toml").string() + ", no.toml, " +
                         (folder_ / "tree/no.toml").string());
}

TEST_F(ConfigFile, NamedByNothingSensibleIsNotFound) {
  EXPECT_THROW(findConfigFile("", {}), ConfigError);
  EXPECT_THROW(findConfigFile(std::string("work\0x", 6), {}), ConfigError);
  EXPECT_THROW(findConfigFile(std::string(10000, 'x'), {}), ConfigError);
  EXPECT_THROW(findConfigFile("/dev/null/x.toml", {}), ConfigError);
}

TEST_F(ConfigFile, NamedByAKeyIsFoundBesideThatKeysFile) {
  const fs::path run = write("runs/run.toml", "good = \"other.toml\"\nbad = \"none.toml\"");
  const fs::path other = write("runs/other.toml", "");
  const ConfigReader config = ConfigReader::fromFile(run);
  EXPECT_EQ(config.file(), run);
  EXPECT_EQ(config.path("good"), other);
  EXPECT_THAT(configErrorOf([&] { static_cast<void>(config.path("bad")); }),
              HasSubstr("run.toml:2: bad: wanted a file, found \"none.toml\" nowhere: tried "));
}

TEST_F(ConfigFile, ListsAFolderHereAndInTheTreeOnce) {
  fs::create_directories("m");
  fs::create_directories(folder_ / "tree/m");
  write("work/m/b.toml", "");
  write("work/m/notes.txt", "");
  write("tree/m/b.toml", "");
  const fs::path in_tree = write("tree/m/a.toml", "");
  EXPECT_THAT(listConfigFiles("m"), testing::ElementsAre(in_tree, fs::path("m/b.toml")));
  EXPECT_THAT(listConfigFiles("m", ".txt"), testing::ElementsAre(fs::path("m/notes.txt")));
  EXPECT_THAT(listConfigFiles("nowhere"), testing::IsEmpty());
}

TEST_F(ConfigFile, ThatCannotBeReadSaysWhy) {
  EXPECT_THAT(errorOf(folder_.path()), EndsWith(": wanted a file, found a directory"));
  EXPECT_THAT(errorOf(folder_ / "no.toml"), EndsWith("found: No such file or directory"));
  EXPECT_THAT(errorOf("/proc/self/mem"), HasSubstr("/proc/self/mem: wanted a readable file"));
}

TEST_F(ConfigFile, WithoutPermissionSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const fs::path path = write("secret.toml", "a = 1");
  fs::permissions(path, fs::perms::none);
  EXPECT_THAT(errorOf(path), EndsWith("found: Permission denied"));
}

TEST_F(ConfigFile, OfMoreThanAMebibyteIsRefusedUnparsed) {
  constexpr std::size_t kTenMegabytes = 10'000'000;
  const fs::path garbage = write("big.toml", std::string(kTenMegabytes, '['));
  EXPECT_THAT(errorOf(garbage), EndsWith(": wanted a file of at most 1 MiB, found a larger one"));
  EXPECT_THAT(errorOf("/dev/zero"), EndsWith(": wanted a file, found a device"));
  const std::string comment = "#" + std::string((1U << 20U) - 1, 'x');
  EXPECT_NO_THROW(ConfigReader::fromFile(write("full.toml", comment)));
}

TEST_F(ConfigFile, NameInAMessageStaysOnOneLine) {
  const fs::path path = write("runs/two\nlines.toml", "a = ");
  EXPECT_THAT(errorOf(path), HasSubstr("two\\nlines.toml:1: wanted TOML"));
  EXPECT_THAT(errorOf(path), Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace ipusim
