// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <string>

#include "tests/reduce_planner/plan_rows.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// The share of rows that must be equal in all columns.
constexpr double kEqualRows = 0.98;

struct PlanTally {
  std::size_t rows = 0;
  std::size_t equal = 0;
  std::map<std::string, std::size_t> equal_cells;  ///< by column
};

/// Plans one row, and prints the cells that differ.
void compareRow(const OracleRow& row, PlanTally& tally) {
  std::string differences;
  for (const auto& [column, planned] : plannedCells(models::gc200Sdk(), row)) {
    const bool is_equal = planned == row.text(column);
    tally.equal_cells[column] += is_equal ? 1 : 0;
    if (is_equal) continue;
    differences.append(" ").append(column).append(" ").append(planned);
    differences.append(", published ").append(row.text(column)).append(";");
  }
  ++tally.rows;
  tally.equal += differences.empty() ? 1 : 0;
  if (!differences.empty()) std::cout << row.where() << ":" << differences << '\n';
}

TEST(ReducePlanOracle, EveryColumnIsAsPublished) {
  if (!tests::findOracle(kReducePlanFile)) {
    GTEST_SKIP() << kReducePlanFile << " is not in the folder that IPUSIM_ORACLE_DIR names";
  }
  PlanTally tally;
  tests::forEachOracleRow(kReducePlanFile, [&](const OracleRow& row) { compareRow(row, tally); });
  std::cout << kReducePlanFile << ": " << tally.equal << " of " << tally.rows << " rows equal\n";
  for (const auto& [column, equal] : tally.equal_cells) {
    std::cout << "  " << column << ": " << equal << '\n';
  }
  EXPECT_GE(static_cast<double>(tally.equal), kEqualRows * static_cast<double>(tally.rows));
}

}  // namespace
}  // namespace ipusim::workloads
