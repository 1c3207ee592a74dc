// SPDX-License-Identifier: Apache-2.0
#include "sim/report/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A folder for each test.
class OutputFolderTest : public testing::Test {
 protected:
  static std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] const fs::path& root() const { return root_; }

 private:
  TemporaryFolder folder_;
  fs::path root_ = folder_ / "out";
};

TEST_F(OutputFolderTest, MakesTheFoldersOnTheWay) {
  OutputFolder(root() / "a" / "b").write("x.csv", "1\n");
  EXPECT_EQ(textOf(root() / "a" / "b" / "x.csv"), "1\n");
}

TEST_F(OutputFolderTest, ReplacesAFileAndLeavesNothingElse) {
  const OutputFolder folder(root());
  folder.write("x.csv", "a long first text\n");
  folder.write("x.csv", "2\n");
  EXPECT_EQ(textOf(root() / "x.csv"), "2\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(root()), fs::directory_iterator()), 1);
}

TEST_F(OutputFolderTest, NamesAFileThatStandsInTheWay) {
  OutputFolder(root()).write("taken", "");
  const std::string message = configErrorOf([this] { OutputFolder folder(root() / "taken"); });
  EXPECT_THAT(message, HasSubstr("taken: wanted a folder"));
}

TEST_F(OutputFolderTest, AFolderInTheWayOfAFileIsAConfigErrorAndLeavesNoDraft) {
  const OutputFolder folder(root());
  fs::create_directory(root() / "x.csv");
  EXPECT_THAT(configErrorOf([&] { folder.write("x.csv", "1"); }), HasSubstr("x.csv"));
  EXPECT_EQ(std::distance(fs::directory_iterator(root()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace ipusim::report
