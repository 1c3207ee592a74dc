// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/parallel/redistribution/group_plan.h"
#include "sim/parallel/redistribution/plan_search.h"
#include "sim/parallel/redistribution/rewriting.h"
#include "tests/support/oracle_csv.h"

namespace ipusim::parallel {
namespace {

using tests::OracleRow;

/// The array of a row, as it is and as it shall be.
struct Case {
  explicit Case(const OracleRow& row)
      : mesh(parseMesh(row.text("mesh"))),
        source(parseType(row.text("source"), mesh)),
        target(parseType(row.text("target"), mesh)) {}

  Mesh mesh;
  ArrayType source;
  ArrayType target;
};

/// Checks that the plan ends at the target on every device, and holds no more than it must.
void expectValid(const Plan& plan, const Case& of, const OracleRow& row) {
  EXPECT_TRUE(moveToTarget(deviceSteps(plan, of.source, of.mesh), cellsOf(of.source, of.mesh),
                           cellsOf(of.target, of.mesh)))
      << row.where() << ": " << toText(plan, of.source, of.mesh);
}

/// Compares the best plan by `goal` with the columns of its steps and of what it receives.
void expectBest(PlanGoal goal, const char* steps, const char* received) {
  tests::forEachOracleRow("redistribution.csv", [&](const OracleRow& row) {
    const Case of(row);
    const Plan plan = findPlan(of.source, of.target, of.mesh, goal).value();
    const PlanCost cost = costOf(plan, of.source, of.mesh);
    EXPECT_EQ(cost.steps, row.number(steps)) << row.where();
    EXPECT_EQ(cost.received, row.number(received)) << row.where();
    EXPECT_EQ(cost.peak, row.number("optimal_peak_local")) << row.where();
    expectValid(plan, of, row);
  });
}

TEST(RedistributionOracle, FewestStepsAndThenTheLeastVolumeAreAsSearched) {
  expectBest(PlanGoal::FewestSteps, "min_len", "recv_at_min_len");
}

TEST(RedistributionOracle, TheLeastVolumeAndThenFewestStepsAreAsSearched) {
  expectBest(PlanGoal::LeastReceived, "len_at_min_staged_recv", "min_staged_recv");
}

TEST(RedistributionOracle, PlansByGroupsOfDevicesAreAsPublished) {
  tests::forEachOracleRow("redistribution.csv", [](const OracleRow& row) {
    const Case of(row);
    const GroupPlan plan = groupPlan(of.source, of.target, of.mesh);
    EXPECT_EQ(plan.text, row.text("group_plan")) << row.where();
    EXPECT_EQ(plan.received, row.number("group_plan_recv")) << row.where();
    EXPECT_EQ(plan.steps.size(), row.number("group_plan_len")) << row.where();
    EXPECT_TRUE(moveToTarget(plan.steps, cellsOf(of.source, of.mesh), cellsOf(of.target, of.mesh)))
        << row.where();
  });
}

// No search: the plan may be longer than the shortest, but it keeps the peak.
TEST(RedistributionOracle, RewritingKeepsThePeak) {
  tests::forEachOracleRow("redistribution.csv", [](const OracleRow& row) {
    const Case of(row);
    const Plan plan = rewrittenPlan(of.source, of.target, of.mesh);
    const PlanCost cost = costOf(plan, of.source, of.mesh);
    EXPECT_EQ(cost.peak, row.number("optimal_peak_local")) << row.where();
    EXPECT_GE(cost.steps, row.number("min_len")) << row.where();
    expectValid(plan, of, row);
  });
}

TEST(RedistributionOracle, GatheringEverythingTakesTheWholeArray) {
  tests::forEachOracleRow("redistribution.csv", [](const OracleRow& row) {
    const Case of(row);
    const Plan plan = gatherAndSlice(of.source, of.target, of.mesh);
    const PlanCost cost = costOf(plan, of.source, of.mesh);
    EXPECT_EQ(cost.peak, row.number("gather_all_peak")) << row.where();
    EXPECT_EQ(cost.received, row.number("gather_all_recv")) << row.where();
    expectValid(plan, of, row);
  });
}

TEST(RedistributionOracle, OneExchangeMovesWhatAnyMethodMust) {
  tests::forEachOracleRow("redistribution.csv", [](const OracleRow& row) {
    const Case of(row);
    const Cells source = cellsOf(of.source, of.mesh);
    const Cells target = cellsOf(of.target, of.mesh);
    const LeastReceived least = leastReceived(source, target);
    EXPECT_EQ(least.of_a_device, row.number("recv_lower_bound_max")) << row.where();
    EXPECT_EQ(least.total, row.number("recv_lower_bound_total")) << row.where();
    const DeviceStep direct = directStep(source, target);
    std::uint64_t moved = 0;
    for (const Transfer& transfer : transfersOf(direct, source)) {
      moved += transfer.elements.elements();
    }
    EXPECT_EQ(moved, least.total) << row.where();
    EXPECT_TRUE(moveToTarget({direct}, source, target)) << row.where();
  });
}

}  // namespace
}  // namespace ipusim::parallel
