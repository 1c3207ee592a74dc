// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "sim/studies/validate/evaluate.h"
#include "sim/studies/validate/report.h"

// Compares the tables of docs/accuracy.md with the output of `ipusim validate --markdown`: every
// shipped row must be there, and rows that are fast to run must agree.

namespace ipusim::validate {
namespace {

/// The lines of the page that are rows of a measurement, by id.
std::map<std::string, std::string> pageRows() {
  const std::regex row(
      R"(\| (\S+) \| (?:fitted|held out|constant) \| (\S+) \| \S+ \| [^|]* \| (-|[+-][0-9.]+ %) \| )"
      R"((ok|does_not_fit|not_expressible|failed) \|)");
  std::ifstream file(findConfigFile("docs/accuracy.md", {}));
  std::map<std::string, std::string> rows;
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, match, row)) continue;
    EXPECT_TRUE(rows.emplace(match[1], line).second) << line;
  }
  return rows;
}

bool isCheap(const Measurement& row) {
  return row.runs.config == "configs/runs/amp_codelet.toml";
}

TEST(AccuracyTable, HasTheShippedRowsAndNoOther) {
  auto rows = pageRows();
  for (const Measurement& row : readMeasurements(shippedMeasurements())) {
    EXPECT_EQ(rows.erase(row.id), 1U) << row.id << " is not in docs/accuracy.md";
  }
  EXPECT_TRUE(rows.empty()) << rows.begin()->first << " is in docs/accuracy.md alone";
}

TEST(AccuracyTable, SaysWhatAFreshRunSays) {
  const auto rows = pageRows();
  std::size_t compared = 0;
  for (const Measurement& row : readMeasurements(shippedMeasurements())) {
    if (!isCheap(row) || rows.count(row.id) == 0) continue;
    const auto fresh = validate({row}, {});
    EXPECT_NE(markdownText(fresh).find('\n' + rows.at(row.id) + '\n'), std::string::npos)
        << rows.at(row.id) << '\n'
        << markdownText(fresh);
    ++compared;
  }
  EXPECT_GE(compared, 4U);
}

}  // namespace
}  // namespace ipusim::validate
