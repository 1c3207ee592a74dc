// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <utility>

#include "tests/support/oracle_csv.h"

namespace ipusim::tests {
namespace {

constexpr std::size_t kComplaintsShown = 20;

/// What is wrong with a row: what `test` throws or returns. Empty when nothing is wrong.
std::string complaintOf(const OracleRow& row,
                        const std::function<std::string(const OracleRow&)>& test) {
  try {
    return test(row);
  } catch (const OracleError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return row.where() + ": " + error.what();
  }
}

/// The rows of `file`. None when the file cannot be used; the test is then skipped or has failed.
OracleTable rowsFor(const std::string& file) {
  OracleTable table;
  const auto load = [&] {
    if (!findOracle(file)) {
      GTEST_SKIP() << file << " is not in the folder that IPUSIM_ORACLE_DIR names";
    }
    table = readOracle(file);
  };
  try {
    load();
  } catch (const OracleError& error) {
    ADD_FAILURE() << error.what();
  }
  return table;
}

/// The first few of the complaints, one per line.
std::string firstOf(const std::vector<std::string>& complaints) {
  std::string lines;
  for (std::size_t i = 0; i < complaints.size() && i < kComplaintsShown; ++i) {
    lines += "\n  " + complaints[i];
  }
  if (complaints.size() > kComplaintsShown) lines += "\n  ...";
  return lines;
}

/// Describes the difference between a cost and the published cycles of a row; empty when there is
/// none.
std::string differenceOf(const OracleRow& row, Cycles ours) {
  if (ours == row.cycles()) return "";
  return row.where() + ": " + std::to_string(ours.value()) + " cycles, published " +
         std::to_string(row.cycles().value());
}

}  // namespace

void forEachOracleRow(const std::string& file, const std::function<void(const OracleRow&)>& test) {
  for (const OracleRow& row : rowsFor(file)) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, row.where());
    const auto run = [&](const OracleRow& one) {
      test(one);
      return std::string();
    };
    const std::string complaint = complaintOf(row, run);
    if (!complaint.empty()) ADD_FAILURE() << complaint;
  }
}

void expectOracleCycles(const std::string& file,
                        const std::function<Cycles(const OracleRow&)>& cost) {
  const OracleTable table = rowsFor(file);
  if (table.empty()) return;
  std::vector<std::string> complaints;
  for (const OracleRow& row : table) {
    std::string complaint =
        complaintOf(row, [&](const OracleRow& one) { return differenceOf(one, cost(one)); });
    if (!complaint.empty()) complaints.push_back(std::move(complaint));
  }
  const std::size_t equal = table.size() - complaints.size();
  const std::string tally =
      file + ": " + std::to_string(equal) + " of " + std::to_string(table.size()) + " rows equal";
  std::cout << tally << '\n';
  EXPECT_TRUE(complaints.empty()) << tally << firstOf(complaints);
}

}  // namespace ipusim::tests
