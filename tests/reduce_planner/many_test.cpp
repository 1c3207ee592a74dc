// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/many.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reduce_planner/planner_machines.h"

namespace ipusim::workloads {
namespace {

using models::ReduceInto;
using models::ReduceOp;
using testing::ElementsAre;

TEST(Concatenated, AreReductionsThatDifferInTheirColumnsAlone) {
  const ConcatenationKey sum{ReduceOp::Add, ReduceInto::Fresh, kHalf, kFloat, 16};
  ConcatenationKey deeper = sum;
  deeper.rows = 17;
  ConcatenationKey largest = sum;
  largest.op = ReduceOp::Maximum;
  ConcatenationKey scaled = sum;
  scaled.scale = 1;
  EXPECT_THAT(
      concatenated({sum, deeper, sum, largest, scaled, deeper, sum}),
      ElementsAre(ElementsAre(0U, 2U, 6U), ElementsAre(1U, 5U), ElementsAre(3U), ElementsAre(4U)));
}

TEST(WorkerQuota, IsTheShareOfTheReductions) {
  EXPECT_EQ(workerQuota(models::toyMachine(), 1, 1), 6U);
  EXPECT_EQ(workerQuota(models::toyMachine(), 1, 4), 2U);
  EXPECT_EQ(workerQuota(models::toyMachine(), 3, 4), 5U);
}

TEST(WorkerQuota, IsTwoForMoreReductionsThanWorkers) {
  EXPECT_EQ(workerQuota(models::toyMachine(), 1, 6), 1U);
  EXPECT_EQ(workerQuota(models::toyMachine(), 1, 7), 2U);
}

}  // namespace
}  // namespace ipusim::workloads
