// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/embedding_planner/embedding_rows.h"
#include "workloads/ops/gather/planner/estimate.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// Expects the published estimate at the published splits.
void expectPublishedTerms(const OracleRow& row) {
  const Architecture machine = embeddingMachineOf(row);
  const EmbeddingProblem problem = embeddingProblemOf(row);
  const PlannedTable table(machine, problem);
  EXPECT_EQ(table.grain, row.number("grain")) << row.where();
  const EmbeddingSplits splits = embeddingSplitsOf(row);
  const EmbeddingTerms terms =
      embeddingTerms({table, splits, shareOf(table, splits), vertexOrderOf(row)});
  expectEmbeddingTerms(row, terms);
  EXPECT_TRUE(movesResults(table, splits, terms.slice)) << row.where();
}

TEST(EmbeddingTermsOracle, EveryTermEqualsThePublishedPlan) {
  tests::forEachOracleRow(kEmbeddingPlans, expectPublishedTerms);
}

}  // namespace
}  // namespace ipusim::workloads
