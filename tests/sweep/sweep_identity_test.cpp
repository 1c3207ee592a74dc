// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/sweep_identity.h"

#include <gtest/gtest.h>

#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

constexpr const char* kAxes = "[axes]\nn = [1, 2]\nm = [3]\n";

class SweepIdentityTest : public FolderTest {
 protected:
  SweepIdentityTest() {
    write("run.toml", "machine = \"mine.toml\"\n");
    write("mine.toml", "base = \"theirs.toml\"\ntiles = 3\n");
    write("theirs.toml", "sync_cycles = 1\n");
  }
  [[nodiscard]] std::string configOf(const std::string& axes,
                                     Engine engine = Engine::ClosedForm) const {
    const auto file = write("sweep.toml", "run = \"run.toml\"\n" + axes);
    return identify(readSweep(ConfigReader::fromFile(file)), engine, "1").config;
  }
};

TEST(HashOf, IsFnv1a) {
  EXPECT_EQ(hashOf(""), "cbf29ce484222325");  // published test vectors of the hash
  EXPECT_EQ(hashOf("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hashOf("foobar"), "85944171f73967e8");
}

TEST_F(SweepIdentityTest, HashesAFileLikeItsText) {
  EXPECT_EQ(hashOfFile(write("a", "foobar")), hashOf("foobar"));
}

TEST_F(SweepIdentityTest, IsTheSameForAnotherSpelling) {
  EXPECT_EQ(configOf(kAxes), configOf("# again\n[axes]\nn = [1,2]\nm = [ 3 ]\n"));
}

TEST_F(SweepIdentityTest, DependsOnAxesTheirOrderAndTheEngine) {
  const std::string before = configOf(kAxes);
  EXPECT_NE(before, configOf("[axes]\nn = [1, 4]\nm = [3]\n"));
  EXPECT_NE(before, configOf("[axes]\nm = [3]\nn = [1, 2]\n"));
  EXPECT_NE(before, configOf(kAxes, Engine::SystemC));
}

TEST_F(SweepIdentityTest, DependsOnTheRunConfig) {
  const std::string before = configOf(kAxes);
  write("run.toml", "machine = \"mine.toml\"\nk = 1\n");
  EXPECT_NE(before, configOf(kAxes));
}

TEST_F(SweepIdentityTest, DependsOnFilesThatNamedFilesName) {
  const std::string before = configOf(kAxes);
  write("theirs.toml", "sync_cycles = 2\n");
  EXPECT_NE(before, configOf(kAxes));
}

TEST_F(SweepIdentityTest, DependsOnPresets) {
  write("run.toml", "machine = \"toy\"\n");
  EXPECT_NE(configOf(kAxes).find("configs/machines/toy.toml"), std::string::npos);
}

TEST_F(SweepIdentityTest, DependsOnTheSpreadsOfPredictions) {
  const auto before = std::filesystem::current_path();
  std::filesystem::create_directories(path() / "configs");
  std::filesystem::current_path(path());  // files of the tree are searched here first
  write("configs/spread.toml", "[\"any run\"]\nrows = 3\nspread_percent = 10.0\n");
  const std::string ten = configOf(kAxes);
  write("configs/spread.toml", "[\"any run\"]\nrows = 3\nspread_percent = 20.0\n");
  const std::string twenty = configOf(kAxes);
  std::filesystem::current_path(before);
  EXPECT_NE(ten, twenty);
}

}  // namespace
}  // namespace ipusim::sweep
