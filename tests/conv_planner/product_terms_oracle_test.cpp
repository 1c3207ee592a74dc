// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/conv_planner/product_rows.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/training.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using tests::OracleRow;

bool fits(const OracleRow& row, const TransformedConv& conv, const ConvCandidate& candidate) {
  // The files call the order swapped in which the left operand is the weights.
  return conv.transforms.swap != row.flag("swap_operands") &&
         conv.transforms.combined_groups == row.number("combine_conv_groups") &&
         sameVertex(row, candidate.vertex) && candidate.dims[1].grain == row.number("field_grain");
}

ConvPoint pointOf(const OracleRow& row) {
  return {productPartitionOf(row), row.flag("broadcast_input_before_loop")
                                       ? ConvBroadcast::BeforeLoop
                                       : ConvBroadcast::EachStep};
}

/// Expects the published estimate at the published partition. A vertex may have either type of
/// partials; the published plan has the cheaper one.
void expectPublishedEstimate(const OracleRow& row) {
  const ConvPoint point = pointOf(row);
  const ConvProblem problem = convOf(problemOf(row));
  const ConvTerms* cheapest = nullptr;
  ConvTerms least;
  for (const TransformedConv& conv : transformsOf(gc200Sdk(), problem)) {
    for (const ConvCandidate& candidate : candidatesOf(gc200Sdk(), problem, conv)) {
      if (!fits(row, conv, candidate)) continue;
      const ConvTerms terms = convTerms(gc200Sdk(), candidate, point);
      if (cheapest != nullptr && least.total(1) <= terms.total(1)) continue;
      least = terms;
      cheapest = &least;
    }
  }
  ASSERT_NE(cheapest, nullptr) << row.where();
  expectProductTerms(row, least);
  EXPECT_EQ(least.total(point.partition.steps()), row.cycles("pass_total_cycles")) << row.where();
  EXPECT_EQ(least.temp(), Bytes(row.number("temp_bytes"))) << row.where();
}

TEST(ProductTermsOracle, EveryTermEqualsThePublishedPlan) {
  const std::vector<std::string> files = tests::findOracles(kProductPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) tests::forEachOracleRow(file, expectPublishedEstimate);
}

}  // namespace
}  // namespace ipusim::workloads
