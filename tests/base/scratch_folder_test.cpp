// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ipusim {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, GoesWithItsFiles) {
  std::string file;
  {
    const ScratchFolder folder("ipusim-test");
    file = folder.file("text");
    std::ofstream(file) << "text";
    EXPECT_TRUE(fs::exists(file));
    EXPECT_EQ(fs::path(file).parent_path().filename().string().rfind("ipusim-test-", 0), 0U);
  }
  EXPECT_FALSE(fs::exists(fs::path(file).parent_path()));
}

TEST(ScratchFolder, IsAnotherEachTime) {
  const ScratchFolder one("ipusim-test");
  const ScratchFolder other("ipusim-test");
  EXPECT_NE(one.file("text"), other.file("text"));
}

}  // namespace
}  // namespace ipusim
