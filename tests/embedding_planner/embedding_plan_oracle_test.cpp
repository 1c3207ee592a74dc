// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>

#include "tests/embedding_planner/embedding_rows.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// The share of rows that must have the published plan, or one of equal cost.
constexpr double kSame = 0.98;

struct Tally {
  std::size_t rows = 0;
  std::size_t same = 0;   ///< the published plan
  std::size_t equal = 0;  ///< another plan of equal cost
};

/// Plans one row, and prints it if it costs something else. The published plan is the best one.
void planRow(const OracleRow& row, Tally& tally) {
  const EmbeddingPlan plan = planEmbedding(embeddingMachineOf(row), embeddingProblemOf(row));
  const std::string ours = describedEmbedding(plan.splits, plan.vertex_order);
  const std::string published = describedEmbedding(embeddingSplitsOf(row), vertexOrderOf(row));
  ++tally.rows;
  EXPECT_GE(plan.cycles, row.cycles("total_cycles")) << row.where() << ": " << ours;
  EXPECT_EQ(plan.isLimited(), row.flag("limited")) << row.where();
  EXPECT_EQ(plan.cycles, plan.terms.total(plan.splits.serial));
  if (ours == published) {
    ++tally.same;
    expectEmbeddingTerms(row, plan.terms);
  } else if (plan.cycles == row.cycles("total_cycles")) {
    ++tally.equal;
  } else {
    std::cout << row.where() << "\n  published " << published << "\n  ours      " << ours << '\n';
  }
}

TEST(EmbeddingPlanOracle, PlansAsPublished) {
  if (!tests::findOracle(kEmbeddingPlans)) GTEST_SKIP() << kEmbeddingPlans << " is not there";
  Tally tally;
  tests::forEachOracleRow(kEmbeddingPlans, [&](const OracleRow& row) { planRow(row, tally); });
  std::cout << kEmbeddingPlans << ": " << tally.same << " of " << tally.rows << " plans the same, "
            << tally.equal << " more of equal cost\n";
  EXPECT_GE(static_cast<double>(tally.same + tally.equal), kSame * static_cast<double>(tally.rows));
}

}  // namespace
}  // namespace ipusim::workloads
