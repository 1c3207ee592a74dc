// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "sim/base/config_reader.h"

// The table of constants in models/README.md says what the preset says.

namespace ipusim {
namespace {

constexpr double kLargest = 1e12;

/// Key to value, from rows like "| `tiles` | 1,472 | given | data sheet |".
std::map<std::string, std::string> tableRows() {
  const std::regex row(R"(\| `([a-z0-9_]+)` \| ([0-9.,]+) \| (given|fitted|free) \| (.*) \|)");
  std::ifstream file(findConfigFile("models/README.md", {}));
  std::map<std::string, std::string> rows;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, match, row)) continue;
    std::string value = match[2];
    value.erase(std::remove(value.begin(), value.end(), ','), value.end());
    rows[match[1]] = value + ' ' + match[4].str();
  }
  return rows;
}

TEST(ConstantsTable, HasTheValuesAndSourcesOfThePreset) {
  auto rows = tableRows();
  const auto preset = ConfigReader::fromFile(findConfigFile("configs/machines/gc200.toml", {}));
  for (const std::string& key : preset.keys()) {
    if (!preset.isTable(key)) continue;
    const ConfigReader entry = preset.table(key);
    const double value = entry.real("value", 0, kLargest);
    const std::string wanted = std::to_string(static_cast<std::uint64_t>(value));
    EXPECT_EQ(rows[key], wanted + ' ' + entry.text("source")) << key;
    rows.erase(key);
  }
  EXPECT_TRUE(rows.empty()) << rows.begin()->first << " is in the table alone";
}

}  // namespace
}  // namespace ipusim
