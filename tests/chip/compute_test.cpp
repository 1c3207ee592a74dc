// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

class ComputeRule : public BothEngines {
 protected:
  /// Cycles of one Compute on a lone tile.
  static Cycles cyclesOf(const std::vector<VertexRun>& runs, const ChipTiming& timing) {
    return run(chipOf(timing, {TileBuilder().compute(0, runs)})).end;
  }

  ChipTiming timing_ = plainTiming(1);
};

TEST_P(ComputeRule, ATileWithoutVerticesSpendsNothing) {
  timing_.compute_set_entry = 5_cycles;
  EXPECT_EQ(cyclesOf({}, timing_), 0_cycles);
  EXPECT_EQ(cyclesOf({workers(0, 10), supervisors(0, 10)}, timing_), 0_cycles);
}

TEST_P(ComputeRule, AWorkerIssuesEverySixthCycle) {
  EXPECT_EQ(cyclesOf({workers(1, 10)}, timing_), 60_cycles);
}

TEST_P(ComputeRule, SixVerticesRunSideBySideAndTheSeventhTakesASecondRound) {
  EXPECT_EQ(cyclesOf({workers(6, 10)}, timing_), 60_cycles);
  EXPECT_EQ(cyclesOf({workers(7, 10)}, timing_), 120_cycles);
}

TEST_P(ComputeRule, TheEntryIsSpentOnceBeforeTheFirstLaunch) {
  timing_.compute_set_entry = 5_cycles;
  EXPECT_EQ(cyclesOf({workers(7, 10)}, timing_), 125_cycles);
}

TEST_P(ComputeRule, LaunchesFollowOneAnother) {
  timing_.vertex_launch = 3_cycles;
  // Starts at 3, 6, … 18; the last ends 60 later.
  EXPECT_EQ(cyclesOf({workers(6, 10)}, timing_), 78_cycles);
  // The seventh is launched when the first ends, at 63.
  EXPECT_EQ(cyclesOf({workers(7, 10)}, timing_), 126_cycles);
  // One issue slot: the first context is free long before the seventh launch.
  EXPECT_EQ(cyclesOf({workers(7, 1)}, timing_), 27_cycles);
}

TEST_P(ComputeRule, TheNextVertexGoesToTheContextThatIsFreeFirst) {
  // One context is held until 60. The other five: until 6, then until 30, then one until 150.
  EXPECT_EQ(cyclesOf({workers(1, 10), workers(5, 1), workers(5, 4), workers(1, 20)}, timing_),
            150_cycles);
  // Eleven rounds of the five end at 66: the sixth context joins at 60.
  EXPECT_EQ(cyclesOf({workers(1, 10), workers(51, 1)}, timing_), 66_cycles);
  EXPECT_EQ(cyclesOf({workers(1, 10), workers(56, 1)}, timing_), 66_cycles);
  EXPECT_EQ(cyclesOf({workers(1, 10), workers(57, 1)}, timing_), 72_cycles);
}

TEST_P(ComputeRule, ASupervisorVertexWaitsForAllWorkersAndHasTheTileToItself) {
  timing_.vertex_launch = 3_cycles;
  timing_.supervisor_call = 7_cycles;
  EXPECT_EQ(cyclesOf({supervisors(2, 20)}, timing_), 54_cycles);
  // Worker until 63, supervisor from 70 to 90, worker from 93 to 99.
  EXPECT_EQ(cyclesOf({workers(1, 10), supervisors(1, 20), workers(1, 1)}, timing_), 99_cycles);
  timing_.compute_set_entry = 5_cycles;
  EXPECT_EQ(cyclesOf({supervisors(2, 20)}, timing_), 59_cycles);
}

TEST_P(ComputeRule, AMillionEqualVerticesTakeTheirRounds) {
  // 166,666 full rounds and one of four vertices.
  EXPECT_EQ(cyclesOf({workers(1'000'000, 10)}, timing_), 10'000'020_cycles);
  // Launches are what binds: the last starts at 20,000,000 and ends 60 later.
  timing_.vertex_launch = 20_cycles;
  EXPECT_EQ(cyclesOf({workers(1'000'000, 10)}, timing_), 20'000'060_cycles);
}

TEST_P(ComputeRule, RunsOfDifferentVerticesOverlap) {
  timing_.workers = 2;
  timing_.vertex_launch = 3_cycles;
  // Launched at 3 and 6, held until 23 and 26; at 26 and 29, until 66 and 69; at 69, until 71.
  EXPECT_EQ(cyclesOf({workers(2, 10), workers(0, 99), workers(2, 20), workers(1, 1)}, timing_),
            71_cycles);
}

// No overhead of the machine comes on top: what was measured holds it.
TEST_P(ComputeRule, AMeasuredOneTakesWhatWasMeasured) {
  timing_.compute_set_entry = 5_cycles;
  timing_.vertex_launch = 3_cycles;
  const TileBuilder tile =
      TileBuilder().computeMeasured(0, 700_cycles).exchangeMeasured(1, 9_cycles);
  const ChipResult result = run(chipOf(timing_, {tile}));
  EXPECT_EQ(result.busyOf(0, 0), 700_cycles);
  EXPECT_EQ(result.busyOf(1, 0), 9_cycles);
  EXPECT_EQ(result.end, 709_cycles);
}

TEST_P(ComputeRule, OneAfterTheOtherIsBookedToTheirSteps) {
  const ChipResult result =
      run(chipOf(timing_, {TileBuilder().compute(0, {workers(1, 1)}).compute(1, {workers(1, 2)})}));
  EXPECT_EQ(result.busyOf(0, 0), 6_cycles);
  EXPECT_EQ(result.busyOf(1, 0), 12_cycles);
  EXPECT_EQ(result.finish, std::vector<Cycles>{18_cycles});
  EXPECT_EQ(result.tile_steps, 2U);
}

INSTANTIATE_TEST_SUITE_P(Engines, ComputeRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
