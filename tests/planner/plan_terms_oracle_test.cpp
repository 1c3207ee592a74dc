// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/planner/plan_rows.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/matmul/plan_estimate.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using tests::OracleRow;

bool fits(const OracleRow& row, const PlanCandidate& candidate) {
  return (candidate.order == OperandOrder::Swapped) == row.flag("swap_operands") &&
         candidate.combined_groups == row.number("combine_conv_groups") &&
         sameVertex(row, candidate.method) && candidate.field_grain == row.number("field_grain");
}

PlanPoint pointOf(const OracleRow& row) {
  return {partitionOf(row), row.flag("broadcast_input_before_loop") ? InputBroadcast::BeforeLoop
                                                                    : InputBroadcast::EachStep};
}

/// Expects the published estimate at the published partition. A vertex may have either type of
/// partials; the published plan has the cheaper one.
void expectPublishedEstimate(const OracleRow& row) {
  const PlanPoint point = pointOf(row);
  const auto depths = models::reductionDepths(point.partition.in_chans);
  const PlanCandidate* cheapest = nullptr;
  PlanTerms least;
  const auto candidates = planCandidates(gc200Sdk(), problemOf(row));
  for (const PlanCandidate& candidate : candidates) {
    if (!fits(row, candidate)) continue;
    const PlanTerms terms = planTerms(gc200Sdk(), candidate, point, depths);
    if (cheapest != nullptr && least.total(1) <= terms.total(1)) continue;
    cheapest = &candidate;
    least = terms;
  }
  ASSERT_NE(cheapest, nullptr) << row.where();
  expectTerms(row, least);
  EXPECT_EQ(least.total(point.partition.steps()), row.cycles("pass_total_cycles")) << row.where();
  EXPECT_EQ(planTempBytes(gc200Sdk(), *cheapest, point), Bytes(row.number("temp_bytes")))
      << row.where();
}

TEST(PlanTermsOracle, EveryTermEqualsThePublishedPlan) {
  const std::vector<std::string> files = tests::findOracles(kPlanFiles);
  if (files.empty()) GTEST_SKIP() << "no plans in the folder that IPUSIM_ORACLE_DIR names";
  for (const std::string& file : files) tests::forEachOracleRow(file, expectPublishedEstimate);
}

}  // namespace
}  // namespace ipusim::workloads
