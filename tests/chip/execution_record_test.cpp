// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/machine/execution_record.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ipusim::models {
namespace {

PerIteration<Cycles> cyclesOf(const std::vector<std::uint64_t>& values) {
  PerIteration<Cycles> cycles;
  for (const std::uint64_t value : values) cycles.append(Cycles(value));
  return cycles;
}

TEST(PerIteration, AnswersForEachIteration) {
  const std::vector<std::uint64_t> values = {7, 7, 7, 9, 7, 8, 8};
  const PerIteration<Cycles> cycles = cyclesOf(values);
  ASSERT_EQ(cycles.iterations(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(cycles.at(i), Cycles(values[i])) << i;
}

TEST(PerIteration, RefusesAnIterationThatDidNotRun) {
  EXPECT_THROW((void)PerIteration<Cycles>().at(0), InternalError);
  EXPECT_EQ(cyclesOf({7, 9}).at(1), Cycles(9));
  EXPECT_THROW((void)cyclesOf({7, 9}).at(2), InternalError);
}

TEST(PerIteration, IsEqualWhereEveryIterationIs) {
  EXPECT_EQ(cyclesOf({7, 7, 9}), cyclesOf({7, 7, 9}));
  EXPECT_NE(cyclesOf({7, 7, 9}), cyclesOf({7, 9, 9}));
  EXPECT_NE(cyclesOf({7, 7, 9}), cyclesOf({7, 7, 9, 9}));
  EXPECT_NE(cyclesOf({7}), cyclesOf({}));
}

/// A loop of three rounds: an If takes the other body in the last, a RepeatWhile runs 2, 0 and 2
/// times, and the second vertex of a tile slows down.
ExecutionRecord threeRounds() {
  ExecutionRecord record;
  record.branches.resize(2);
  for (const std::uint32_t taken : {0U, 0U, 1U}) record.branches[1].append(taken);
  record.trips.resize(1);
  for (const std::uint64_t count : {2U, 0U, 2U}) record.trips[0].append(count);
  record.cycles[{StepId{4}, TileId(3), 0}] = cyclesOf({10, 10, 10});
  record.cycles[{StepId{4}, TileId(3), 1}] = cyclesOf({10, 11, 12});
  return record;
}

TEST(ExecutionRecord, TellsOutcomesTripsAndCyclesOfAnIteration) {
  const ExecutionRecord record = threeRounds();
  EXPECT_EQ(record.branch(BranchId{1}, 1), 0U);
  EXPECT_EQ(record.branch(BranchId{1}, 2), 1U);
  EXPECT_EQ(record.tripCount(WhileId{0}, 1), 0U);
  EXPECT_EQ(record.tripCount(WhileId{0}, 2), 2U);
  EXPECT_EQ(record.cyclesOf({StepId{4}, TileId(3), 0}, 2), Cycles(10));
  EXPECT_EQ(record.cyclesOf({StepId{4}, TileId(3), 1}, 2), Cycles(12));
}

TEST(ExecutionRecord, HasNothingForAPlaceThatWasNotRecorded) {
  const ExecutionRecord record = threeRounds();
  EXPECT_THROW((void)record.branch(BranchId{0}, 0), InternalError);
  EXPECT_THROW((void)record.branch(BranchId{2}, 0), std::out_of_range);
  EXPECT_THROW((void)record.tripCount(WhileId{1}, 0), std::out_of_range);
  EXPECT_THROW((void)record.cyclesOf({StepId{4}, TileId(3), 2}, 0), std::out_of_range);
}

TEST(ExecutionRecord, IsEqualWhereAllIsEqual) {
  EXPECT_EQ(threeRounds(), threeRounds());
  ExecutionRecord other = threeRounds();
  other.branches[1].append(1);
  EXPECT_NE(other, threeRounds());
  other = threeRounds();
  other.trips[0].append(0);
  EXPECT_NE(other, threeRounds());
  other = threeRounds();
  other.cycles.erase({StepId{4}, TileId(3), 0});
  EXPECT_NE(other, threeRounds());
}

}  // namespace
}  // namespace ipusim::models
