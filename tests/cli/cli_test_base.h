// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/ipusim_process.h"
#include "tests/support/temporary_folder.h"

namespace ipusim::cli {

/// A run that takes a moment: one vertex on the toy machine.
constexpr const char* kSmallRun = R"(machine = "toy"
[workload]
kind = "codelet"
codelet = "copy"
type = "float"
elements = 16
tiles = [0]
)";

/// Runs the built program in a folder that is removed after the test.
class CliTest : public testing::Test {
 protected:
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  [[nodiscard]] std::string smallRun() const { return write("run.toml", kSmallRun); }
  [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const {
    return ipusim(folder_.path(), arguments);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace ipusim::cli
