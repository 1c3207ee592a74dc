// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iostream>

#include "tests/planner/plan_rows.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using tests::OracleRow;

/// Shares of rows that must have the published partition, or one of equal cost. Rows in another
/// folder than the one this planner was written against may differ a little more.
constexpr double kProducts = 0.97;
constexpr double kLayers = 0.95;
constexpr double kOtherFolder = 0.95;

double needed(double share) {
  return std::getenv("IPUSIM_ORACLE_DIR") != nullptr ? kOtherFolder : share;
}

struct Tally {
  std::size_t rows = 0;
  std::size_t same = 0;
};

/// Plans the rows of `file` that `wanted` lets through, and prints those that differ.
Tally planRows(const std::string& file, const std::function<bool(const OracleRow&)>& wanted) {
  Tally tally;
  tests::forEachOracleRow(file, [&](const OracleRow& row) {
    if (!wanted(row)) return;
    ++tally.rows;
    const MatmulPlan plan = planMatmul(gc200Sdk(), problemOf(row));
    if (samePartition(row, plan) || plan.cycles == row.cycles()) {
      ++tally.same;
      return;
    }
    std::cout << row.where() << "\n  published " << described(row) << "\n  ours      "
              << described(plan) << '\n';
  });
  std::cout << file << ": " << tally.same << " of " << tally.rows << " plans the same\n";
  return tally;
}

bool isProduct(const OracleRow& row) {
  return row.text("pass") == "NONE_MATMUL";
}

TEST(PlanOracle, ProductsArePlannedAsPublished) {
  const Tally tally = planRows("matmul_plan.csv", isProduct);
  EXPECT_GE(static_cast<double>(tally.same), needed(kProducts) * static_cast<double>(tally.rows));
}

TEST(PlanOracle, FullyConnectedPassesArePlannedAsPublished) {
  const Tally tally =
      planRows("matmul_plan.csv", [](const OracleRow& row) { return !isProduct(row); });
  EXPECT_GE(static_cast<double>(tally.same), needed(kLayers) * static_cast<double>(tally.rows));
}

TEST(PlanOracle, MeasuredProductsArePlannedAsPublished) {
  const Tally tally = planRows("matmul_plan_published.csv", hasOurVertex);
  EXPECT_EQ(tally.same, tally.rows);
}

}  // namespace
}  // namespace ipusim::workloads
