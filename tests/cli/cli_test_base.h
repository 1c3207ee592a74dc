// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/ipusim_process.h"

namespace ipusim::cli {

/// A run of a moment: one vertex on the toy machine.
constexpr const char* kSmallRun = R"(machine = "toy"
[workload]
kind = "codelet"
codelet = "copy"
type = "float"
elements = 16
tiles = [0]
)";

/// Runs the built program in a folder of its own, gone after the test.
class CliTest : public testing::Test {
 protected:
  CliTest() { std::filesystem::create_directories(folder_); }
  ~CliTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  [[nodiscard]] std::string smallRun() const { return write("run.toml", kSmallRun); }
  [[nodiscard]] Finished run(const std::vector<std::string>& arguments) const {
    return ipusim(folder_, arguments);
  }

 private:
  static std::string folderName() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test.test_suite_name()) + '.' + test.name();
    for (char& c : name) c = c == '/' ? '_' : c;
    return name;
  }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / folderName();
};

}  // namespace ipusim::cli
