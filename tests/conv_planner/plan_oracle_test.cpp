// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>

#include "tests/conv_planner/conv_rows.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// The share of a file's rows that must have the published plan, or one of equal cost.
constexpr double kSame = 0.98;

struct Tally {
  std::size_t rows = 0;
  std::size_t same = 0;   ///< the published plan
  std::size_t equal = 0;  ///< another plan of equal cost
};

/// Plans one row, and prints it if it differs. The published plan is the best one.
void planRow(const OracleRow& row, Tally& tally) {
  const ConvPlan plan = planConv(machineOf(row), convProblemOf(row));
  ++tally.rows;
  EXPECT_GE(plan.cycles, row.cycles()) << row.where() << " ours" << described(plan);
  if (described(plan) == described(row)) {
    ++tally.same;
    expectTerms(row, plan.terms);
    return;
  }
  if (plan.cycles == row.cycles() && plan.temp == Bytes(row.number("temp_bytes"))) ++tally.equal;
  std::cout << row.where() << "\n  published " << described(row) << "\n  ours      "
            << described(plan) << '\n';
}

TEST(ConvPlanOracle, EveryFileIsPlannedAsPublished) {
  const std::vector<std::string> files = tests::findOracles(kConvPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) {
    Tally tally;
    tests::forEachOracleRow(file, [&](const OracleRow& row) { planRow(row, tally); });
    std::cout << file << ": " << tally.same << " of " << tally.rows << " plans the same, "
              << tally.equal << " more of equal cost\n";
    EXPECT_GE(static_cast<double>(tally.same + tally.equal),
              kSame * static_cast<double>(tally.rows))
        << file;
  }
}

}  // namespace
}  // namespace ipusim::workloads
