// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace ipusim {

/// A folder for the running test, which the destructor removes. Its name has the test and the
/// process, so that no two tests share a folder, whatever runs beside them.
class TemporaryFolder {
 public:
  TemporaryFolder() { std::filesystem::create_directories(path_); }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const {
    return path_ / name;
  }

  /// Returns the path of the new file, which not every caller needs.
  // NOLINTNEXTLINE(modernize-use-nodiscard)
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  static std::string name() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string text =
        std::string(test.test_suite_name()) + '.' + test.name() + '.' + std::to_string(getpid());
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
  }

  std::filesystem::path path_ = std::filesystem::canonical(testing::TempDir()) / name();
};

}  // namespace ipusim
