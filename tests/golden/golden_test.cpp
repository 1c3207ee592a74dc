// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/config/config_reader.h"
#include "base/text/csv_reader.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"
#include "tests/golden/golden_row.h"

// Detects any number that changed. results.csv has one row per config of configs/runs, and of those
// of configs/compression that are for one chip. After a change that is meant,
// IPUSIM_UPDATE_GOLDEN=1 ./ipusim test -L golden writes the file anew: read its diff.

namespace ipusim::run {
namespace {

namespace fs = std::filesystem;

const fs::path kTable = fs::path(IPUSIM_GOLDEN_DIR) / "results.csv";

std::vector<fs::path> shippedConfigs() {
  std::vector<fs::path> configs = listConfigFiles("configs/runs");
  for (const fs::path& config : listConfigFiles("configs/compression")) {
    if (!ConfigReader::fromFile(config).has("parallel")) configs.push_back(config);
  }
  return configs;
}

bool isUpdate() {
  return std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr;
}

std::string nameOf(const fs::path& config) {
  return config.stem().string();
}

GoldenRow foundRow(const fs::path& config) {
  return goldenRow(report::toJson(simulate(ConfigReader::fromFile(config), Engine::ClosedForm)));
}

/// The rows of results.csv by the name of their config.
std::map<std::string, GoldenRow> keptRows() {
  std::ostringstream text;
  text << std::ifstream(kTable).rdbuf();
  std::map<std::string, GoldenRow> rows;
  for (const CsvRecord& record : parseCsv(text.str(), kTable.string())) {
    rows[record.cells.front()] = GoldenRow(record.cells.begin() + 1, record.cells.end());
  }
  return rows;
}

/// One line per column whose value changed.
std::string differences(const GoldenRow& kept, const GoldenRow& found) {
  const GoldenRow columns = goldenColumns();
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string before = i < kept.size() ? kept[i] : "no such column";
    if (before != found[i]) text += columns[i] + ": kept " + before + ", found " + found[i] + "\n";
  }
  return text;
}

void writeRow(std::ostream& out, const std::string& name, const GoldenRow& row) {
  out << name;
  for (const std::string& cell : row) out << ',' << cell;
  out << '\n';
}

class ShippedConfig : public testing::TestWithParam<fs::path> {};

TEST_P(ShippedConfig, GivesTheNumbersThatAreKept) {
  if (isUpdate()) GTEST_SKIP() << "results.csv is being written";
  const auto rows = keptRows();
  const auto kept = rows.find(nameOf(GetParam()));
  ASSERT_NE(kept, rows.end()) << "no row of that name in " << kTable;
  EXPECT_EQ(differences(kept->second, foundRow(GetParam())), "")
      << "`ipusim run " << GetParam().string() << " --json` before and after shows every number";
}

INSTANTIATE_TEST_SUITE_P(Runs, ShippedConfig, testing::ValuesIn(shippedConfigs()),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(GoldenTable, HasARowForEachConfigAndNoOther) {
  const std::vector<fs::path> configs = shippedConfigs();
  if (isUpdate()) {
    std::ofstream table(kTable);
    writeRow(table, "config", goldenColumns());
    for (const fs::path& config : configs) writeRow(table, nameOf(config), foundRow(config));
  }
  const auto rows = keptRows();
  EXPECT_EQ(rows.size(), configs.size() + 1) << "the header is a row";
  EXPECT_EQ(rows.at("config"), goldenColumns());
  for (const fs::path& config : configs) EXPECT_EQ(rows.count(nameOf(config)), 1U) << config;
}

}  // namespace
}  // namespace ipusim::run
