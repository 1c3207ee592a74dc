// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/conv_planner/conv_rows.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/transforms.h"

namespace ipusim::workloads {
namespace {

using tests::OracleRow;

/// Expects the published estimate at the published plan.
void expectPublishedEstimate(const OracleRow& row) {
  const Machine machine = machineOf(row);
  const ConvProblem problem = convProblemOf(row);
  const TransformedConv conv = transformedConv(problem.params, transformsOf(row));
  EXPECT_EQ(conv.transforms.flatten, transformsOf(row).flatten) << row.where();
  const ConvCandidate candidate = candidateOf(machine, problem, conv, vertexOf(row));
  const auto grain = row.list("field_grain");
  for (std::size_t i = 0; i < grain.size(); ++i) {
    EXPECT_EQ(candidate.dims.at(i).grain, grain[i]) << row.where();
  }
  const ConvPoint point = pointOf(row);
  EXPECT_EQ(point.partition.tiles(), row.number("tiles_used")) << row.where();
  const ConvTerms terms = convTerms(machine, candidate, point);
  expectTerms(row, terms);
  EXPECT_EQ(terms.total(point.partition.steps()), row.cycles("pass_total_cycles")) << row.where();
}

TEST(ConvTermsOracle, EveryTermEqualsThePublishedPlan) {
  const std::vector<std::string> files = tests::findOracles(kConvPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) tests::forEachOracleRow(file, expectPublishedEstimate);
}

}  // namespace
}  // namespace ipusim::workloads
