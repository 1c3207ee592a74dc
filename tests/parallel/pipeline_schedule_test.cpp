// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ipusim/error.h"
#include "sim/parallel/pipeline/schedule.h"

namespace ipusim::parallel {
namespace {

using testing::ElementsAre;

/// The stages that are active, such as "F012 B2 x3" for three equal cycles.
std::string textOf(const CyclePattern& pattern) {
  std::string text = "F";
  for (std::size_t s = 0; s < pattern.forward.size(); ++s) {
    if (pattern.forward[s]) text += std::to_string(s);
  }
  text += " B";
  for (std::size_t s = 0; s < pattern.backward.size(); ++s) {
    if (pattern.backward[s]) text += std::to_string(s);
  }
  return pattern.cycles == 1 ? text : text + " x" + std::to_string(pattern.cycles);
}

std::vector<std::string> patternsOf(std::uint32_t stages, std::uint64_t micro_batches) {
  std::vector<std::string> texts;
  for (const CyclePattern& pattern : PipelineSchedule(stages, micro_batches).patterns()) {
    texts.push_back(textOf(pattern));
  }
  return texts;
}

std::vector<std::uint64_t> depthsOf(std::uint32_t stages) {
  const PipelineSchedule schedule(stages, PipelineSchedule::fewestMicroBatches(stages));
  std::vector<std::uint64_t> depths;
  for (std::uint32_t s = 0; s < stages; ++s) depths.push_back(schedule.stashDepth(s));
  return depths;
}

TEST(PipelineSchedules, HaveSoManyCycles) {
  // 16 micro-batches and 2S - 2 cycles.
  const std::vector<std::uint64_t> cycles = {16, 18, 20, 22, 24, 26, 28, 30};
  for (std::uint32_t stages = 1; stages <= 8; ++stages) {
    const PipelineSchedule schedule(stages, 16);
    EXPECT_EQ(schedule.cycles(), cycles[stages - 1]) << stages;
    EXPECT_EQ(schedule.mainCycles(), 18 - 2 * stages) << stages;
  }
}

TEST(PipelineSchedules, KeepSoManyMicroBatches) {
  EXPECT_THAT(depthsOf(1), ElementsAre(0));
  EXPECT_THAT(depthsOf(2), ElementsAre(3, 0));
  EXPECT_THAT(depthsOf(3), ElementsAre(5, 3, 0));
  EXPECT_THAT(depthsOf(4), ElementsAre(7, 5, 3, 0));
  EXPECT_THAT(depthsOf(5), ElementsAre(9, 7, 5, 3, 0));
  EXPECT_THAT(depthsOf(6), ElementsAre(11, 9, 7, 5, 3, 0));
  EXPECT_THAT(depthsOf(7), ElementsAre(13, 11, 9, 7, 5, 3, 0));
  EXPECT_THAT(depthsOf(8), ElementsAre(15, 13, 11, 9, 7, 5, 3, 0));
}

TEST(PipelineSchedules, FillAndFlush) {
  EXPECT_THAT(patternsOf(1, 5), ElementsAre("F0 B0 x5"));
  EXPECT_THAT(patternsOf(2, 4), ElementsAre("F0 B", "F01 B1", "F01 B01 x2", "F1 B01", "F B0"));
  EXPECT_THAT(patternsOf(4, 8), ElementsAre("F0 B", "F01 B", "F012 B", "F0123 B3", "F0123 B23",
                                            "F0123 B123", "F0123 B0123 x2", "F123 B0123",
                                            "F23 B0123", "F3 B0123", "F B012", "F B01", "F B0"));
}

/// Every stage passes every micro-batch once each way, and its backward pass of a micro-batch is as
/// many cycles after the forward pass as the stash is deep, less one.
TEST(PipelineSchedules, PassEveryMicroBatchOnceEachWay) {
  for (std::uint32_t stages = 1; stages <= 8; ++stages) {
    const PipelineSchedule schedule(stages, 20);
    std::uint64_t cycles = 0;
    std::vector<std::uint64_t> forward(stages);
    std::vector<std::uint64_t> backward(stages);
    for (const CyclePattern& pattern : schedule.patterns()) {
      EXPECT_EQ(pattern.first, cycles);
      cycles += pattern.cycles;
      for (std::uint32_t s = 0; s < stages; ++s) {
        if (pattern.forward[s]) forward[s] += pattern.cycles;
        if (pattern.backward[s]) backward[s] += pattern.cycles;
        EXPECT_LE(backward[s], forward[s]);
        EXPECT_LE(forward[s], backward[s] + std::max<std::uint64_t>(1, schedule.stashDepth(s)));
      }
    }
    EXPECT_EQ(cycles, schedule.cycles());
    EXPECT_THAT(forward, testing::Each(20));
    EXPECT_THAT(backward, testing::Each(20));
  }
}

TEST(PipelineSchedules, NeedMicroBatchesThatFillThem) {
  EXPECT_EQ(PipelineSchedule::fewestMicroBatches(4), 7U);
  EXPECT_EQ(PipelineSchedule(4, 7).mainCycles(), 1U);
  EXPECT_THROW(PipelineSchedule(4, 6), InternalError);
}

}  // namespace
}  // namespace ipusim::parallel
