// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/reduction_stages.h"

#include <gtest/gtest.h>

#include "models/ipu/cost/exchange/exchange.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/butterfly/fused_butterfly.h"

namespace ipusim::workloads {
namespace {

/// The stages that sum the rows of a matrix with one row on every tile of a gc200.
ReductionStages stagesOn(const Machine& machine) {
  return planReduction(machine, {64, 1472, ElementType::Float, 64});
}

TEST(ReductionStages, TakesIntermediateStagesWhereAPhaseIsCheap) {
  EXPECT_FALSE(stagesOn(models::gc200()).groups.empty());
}

TEST(ReductionStages, TakesNoIntermediateStageWhereASyncIsDear) {
  Machine machine = models::gc200();
  machine.fabric.sync_base = Cycles(1'000'000);
  EXPECT_TRUE(stagesOn(machine).groups.empty());
}

TEST(ReductionStages, TakesNoIntermediateStageWhereAComputeSetIsDearToEnter) {
  Machine machine = models::gc200();
  machine.overheads.compute_set_entry = Cycles(100'000);
  EXPECT_TRUE(stagesOn(machine).groups.empty());
}

TEST(ReductionStages, CountsTheMachinesLaunchForEachWorkerOfEachStage) {
  Machine machine = models::gc200();
  const ReductionStages before = stagesOn(machine);
  machine.overheads.vertex_launch += Cycles(1);
  const ReductionStages after = stagesOn(machine);
  ASSERT_EQ(after.groups, before.groups);
  const std::uint64_t stages = before.groups.size() + 1;
  EXPECT_EQ(after.cycles, before.cycles + Cycles(stages * machine.workers_per_tile));
}

TEST(PlanButterfly, KeepsTheFeaturesOfARowTogetherWhereASyncIsDear) {
  Machine machine = models::gc200();
  machine.fabric.sync_base = Cycles(100'000);
  const ButterflyShape shape{1024, Twiddles::Tied, StageOrder::Increasing};
  EXPECT_EQ(planButterfly(machine, shape, 50, ElementType::Float).feature_parts, 1U);
}

}  // namespace
}  // namespace ipusim::workloads
