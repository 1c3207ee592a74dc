// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/processes/work_queue.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;

/// Three shapes, two modes of the exchange and two sizes of the stack. The first axis varies
/// slowest.
class WorkQueueTest : public testing::Test {
 protected:
  static std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> all(12);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  Sweep sweep_ =
      readSweep(ConfigReader::fromText("run = \"configs/runs/matmul.toml\"\n[axes]\n"
                                       "machine.stack_bytes = [100, 200]\n"
                                       "machine.exchange = [\"scheduled\", \"bound\"]\n"
                                       "workload.m = [8, 16, 24]\n",
                                       "test"));
};

TEST_F(WorkQueueTest, PointsAreAlikeThatDifferInWhatLaterStagesTake) {
  const CompileClasses alike(sweep_);
  for (const std::uint64_t point : numbers()) {
    EXPECT_EQ(alike(point, compiler::Stage::Lowering), point % 3);
    EXPECT_EQ(alike(point, compiler::Stage::Exchange), point % 6);
    EXPECT_EQ(alike(point, compiler::Stage::Memory), point);
  }
}

TEST_F(WorkQueueTest, PlansTakeTheSyncAndNoStageButTheLastTheClock) {
  const CompileClasses alike(
      readSweep(ConfigReader::fromText("run = \"configs/runs/matmul.toml\"\n[axes]\n"
                                       "machine.clock_hz = [1e9, 2e9]\n"
                                       "machine.sync_base_cycles = [10, 20]\n"
                                       "machine.base = [\"gc200\", \"nowhere\"]\n",
                                       "test")));
  for (std::uint64_t point = 0; point < 8; ++point) {
    EXPECT_EQ(alike(point, compiler::Stage::Lowering), point % 4);
    EXPECT_EQ(alike(point, compiler::Stage::Memory), point % 4);
  }
}

TEST_F(WorkQueueTest, AProcessTakesTheEarliestStagesAsRarelyAsItCan) {
  WorkQueue queue(sweep_, numbers());
  std::vector<std::uint64_t> order;
  std::optional<std::uint64_t> last;
  while ((last = queue.next(last))) order.push_back(*last);
  EXPECT_THAT(order, ElementsAre(0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11));
}

TEST_F(WorkQueueTest, EachProcessHasShapesOfItsOwnWhileThereAreAny) {
  WorkQueue queue(sweep_, numbers());
  const auto first = queue.next({});
  const auto second = queue.next({});
  EXPECT_THAT(first, testing::Optional(0U));
  EXPECT_THAT(second, testing::Optional(1U));
  EXPECT_THAT(queue.next(first), testing::Optional(6U));
  EXPECT_THAT(queue.next(second), testing::Optional(7U));
}

TEST_F(WorkQueueTest, HandsOutEachPointOnceToAnyNumberOfProcesses) {
  WorkQueue queue(sweep_, numbers());
  std::vector<std::optional<std::uint64_t>> last(5);
  std::set<std::uint64_t> seen;
  for (std::size_t process = 0; process < 12; ++process) {
    last[process % 5] = queue.next(last[process % 5]);
    ASSERT_TRUE(last[process % 5]);
    EXPECT_TRUE(seen.insert(*last[process % 5]).second);
  }
  EXPECT_EQ(queue.next(last[0]), std::nullopt);
  EXPECT_EQ(queue.next({}), std::nullopt);
}

TEST_F(WorkQueueTest, KeepsToThePointsThatAreMissing) {
  WorkQueue queue(sweep_, {4, 7, 2});
  EXPECT_THAT(queue.next({}), testing::Optional(7U));
  EXPECT_THAT(queue.next(7), testing::Optional(4U));
  EXPECT_THAT(queue.next(4), testing::Optional(2U));
  EXPECT_EQ(queue.next(2), std::nullopt);
}

}  // namespace
}  // namespace ipusim::sweep
