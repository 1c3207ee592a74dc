// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace ipusim::sweep {

/// A test with its own folder.
class FolderTest : public testing::Test {
 protected:
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  // NOLINTNEXTLINE(modernize-use-nodiscard): not every caller needs the path
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  [[nodiscard]] std::vector<std::string> linesOf(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace ipusim::sweep
