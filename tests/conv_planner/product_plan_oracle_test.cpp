// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>

#include "tests/conv_planner/product_rows.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using tests::OracleRow;

/// The share of a file's rows that must have the published partition, or one of equal cost.
constexpr double kSame = 0.98;

struct Tally {
  std::size_t rows = 0;
  std::size_t same = 0;
};

/// Plans one row, and prints it if it differs. The published plan is the best one.
void planRow(const OracleRow& row, Tally& tally) {
  const MatmulPlan plan = planMatmul(gc200Sdk(), problemOf(row));
  const bool same = samePartition(row, plan);
  ++tally.rows;
  EXPECT_GE(plan.conv.cycles, row.cycles()) << "ours      " << describedPlan(plan);
  if (same) expectProductTerms(row, plan.conv.terms);
  if (same || plan.conv.cycles == row.cycles()) {
    ++tally.same;
    return;
  }
  std::cout << row.where() << "\n  published " << describedPlan(row) << "\n  ours      "
            << describedPlan(plan) << '\n';
}

TEST(ProductPlanOracle, EveryFileIsPlannedAsPublished) {
  const std::vector<std::string> files = tests::findOracles(kProductPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) {
    Tally tally;
    tests::forEachOracleRow(file, [&](const OracleRow& row) { planRow(row, tally); });
    std::cout << file << ": " << tally.same << " of " << tally.rows << " plans the same\n";
    EXPECT_GE(static_cast<double>(tally.same), kSame * static_cast<double>(tally.rows)) << file;
  }
}

}  // namespace
}  // namespace ipusim::workloads
