// SPDX-License-Identifier: Apache-2.0
#include "base/files/home_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace ipusim {
namespace {

namespace fs = std::filesystem;

TEST(HomeFolder, IsWhatTheEnvironmentNames) {
  setenv("IPUSIM_HOME", "/some/where", 1);
  EXPECT_EQ(homeFolder(), "/some/where");
  EXPECT_EQ(placeAtHome("configs/x.toml"), "/some/where/configs/x.toml");
  unsetenv("IPUSIM_HOME");
}

// The tests run in the source tree of their build.
TEST(HomeFolder, IsTheTreeAboveTheProgramInABuild) {
  const fs::path here = fs::current_path();
  if (fs::read_symlink("/proc/self/exe").string().rfind(here.string() + '/', 0) != 0) {
    GTEST_SKIP() << "the build is not in its source tree";
  }
  fs::current_path("/");
  EXPECT_EQ(homeFolder(), here);
  fs::current_path(here);
}

}  // namespace
}  // namespace ipusim
