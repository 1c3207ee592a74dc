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
         candidate.method.conv_units == row.number("conv_units") &&
         candidate.method.in_chans_per_group == row.number("in_chans_per_group") &&
         candidate.method.partial_chans_per_group == row.number("partial_chans_per_group") &&
         candidate.field_grain == row.number("field_grain");
}

PlanPoint pointOf(const OracleRow& row) {
  return {partitionOf(row), row.flag("broadcast_input_before_loop") ? InputBroadcast::BeforeLoop
                                                                    : InputBroadcast::EachStep};
}

void expectTerms(const OracleRow& row, const PlanTerms& terms) {
  const auto expect = [&](Cycles term, const char* column) {
    EXPECT_EQ(term, row.cycles(column)) << row.where() << ' ' << column;
  };
  expect(terms.partial_calc, "partial_calc_cycles");
  expect(terms.input_exchange, "input_exchange_cycles");
  expect(terms.weight_exchange, "weight_exchange_cycles");
  expect(terms.reduce_first_exchange, "reduce_first_exchange_cycles");
  expect(terms.reduce_rest_exchange, "reduce_rest_exchange_cycles");
  expect(terms.reduce, "reduce_cycles");
  expect(terms.transform_copy, "transform_copy_cycles");
  expect(terms.transform_exchange, "transform_exchange_cycles");
  expect(terms.dynamic_slice, "dynamic_slice_cycles");
  expect(terms.dynamic_update, "dynamic_update_cycles");
  expect(terms.add_in_place, "add_in_place_cycles");
  expect(terms.output_cast, "output_cast_cycles");
  expect(terms.rearrange_before_slice, "rearrange_before_slice_cycles");
  expect(terms.broadcast_before_loop, "broadcast_input_before_loop_cycles");
}

/// The estimate at the published partition. A vertex may come with either type of partials: the
/// published plan has the cheaper.
void expectPublishedEstimate(const OracleRow& row) {
  if (!hasOurVertex(row)) return;
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
  tests::forEachOracleRow("matmul_plan.csv", expectPublishedEstimate);
}

TEST(PlanTermsOracle, EveryTermEqualsThePlanOfAMeasuredProduct) {
  tests::forEachOracleRow("matmul_plan_published.csv", expectPublishedEstimate);
}

}  // namespace
}  // namespace ipusim::workloads
