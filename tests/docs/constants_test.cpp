// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "base/config/config_reader.h"

// Compares the tables of constants in models/README.md with the presets.

namespace ipusim {
namespace {

constexpr double kLargest = 1e16;

/// A preset, and the heading of its table.
struct Documented {
  const char* file;
  const char* heading;
};

/// The entry of a key in a row, such as "1472 data sheet". The value is the shortest text of a
/// number.
std::string entryText(double value, const std::string& source) {
  std::ostringstream text;
  text << std::setprecision(15) << value << ' ' << source;
  return text.str();
}

/// The entries by key, from rows like "| `tiles` | 1,472 | given | data sheet |" below `heading`. A
/// kind that the preset names stands before the source.
std::map<std::string, std::string> tableRows(const std::string& heading) {
  const std::regex row(
      R"(\| `([a-z0-9_]+)` \| ([0-9.,e-]+) \| (given|fitted|free|spec|transfer|assumed) \| (.*) \|)");
  std::ifstream file(findConfigFile("models/README.md", {}));
  std::map<std::string, std::string> rows;
  std::smatch match;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind('#', 0) == 0) inside = line == heading;
    if (!inside || !std::regex_match(line, match, row)) continue;
    std::string value = match[2];
    value.erase(std::remove(value.begin(), value.end(), ','), value.end());
    rows[match[1]] = match[3].str() + ' ' + entryText(std::stod(value), match[4]);
  }
  return rows;
}

/// A preset, and the file of fitted constants that it includes.
std::vector<ConfigReader> filesOf(const std::string& preset) {
  std::vector<ConfigReader> files = {ConfigReader::fromFile(findConfigFile(preset, {}))};
  files.push_back(ConfigReader::fromFile(files.front().path("include")));
  return files;
}

/// The table of values that all training configs hold.
TEST(TrainingTable, HasTheValuesOfEveryRunConfig) {
  const auto rows = tableRows("### Training (`configs/runs/shl_training_*.toml`)");
  EXPECT_EQ(rows.size(), 2U);
  std::size_t configs = 0;
  for (const auto& entry : std::filesystem::directory_iterator("configs/runs")) {
    if (entry.path().filename().string().rfind("shl_training_", 0) != 0) continue;
    const ConfigReader workload = ConfigReader::fromFile(entry.path()).table("workload");
    for (const auto& [key, row] : rows) {
      const std::string value = "fitted " + entryText(workload.real(key, 0, kLargest), "");
      EXPECT_EQ(row.substr(0, value.size()), value) << entry.path() << ": " << key;
    }
    ++configs;
  }
  EXPECT_GE(configs, 6U);
}

class ConstantsTable : public testing::TestWithParam<Documented> {};

TEST_P(ConstantsTable, HasTheValuesAndSourcesOfThePreset) {
  auto rows = tableRows(GetParam().heading);
  for (const ConfigReader& file : filesOf(GetParam().file)) {
    for (const std::string& key : file.keys()) {
      if (!file.isTable(key)) continue;
      const ConfigReader entry = file.table(key);
      // Presets of IPUs do not name the kind of a number, so any kind will do.
      const std::string kind = entry.text("kind", rows[key].substr(0, rows[key].find(' ')));
      const double value = entry.real("value", 0, kLargest);
      EXPECT_EQ(rows[key], kind + ' ' + entryText(value, entry.text("source"))) << key;
      rows.erase(key);
    }
  }
  EXPECT_TRUE(rows.empty()) << rows.begin()->first << " is in the table alone";
}

INSTANTIATE_TEST_SUITE_P(
    Readme, ConstantsTable,
    testing::Values(
        Documented{"configs/machines/gc200.toml",
                   "### The machine `gc200` (`configs/machines/gc200.toml`)"},
        Documented{"configs/gpus/a30.toml", "### The GPU `a30` (`configs/gpus/a30.toml`)"},
        Documented{"configs/gpus/h200.toml", "### The GPU `h200` (`configs/gpus/h200.toml`)"}));

}  // namespace
}  // namespace ipusim
