// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

class SyncRule : public BothEngines {};

TEST_P(SyncRule, RequestAndReleaseTakeTheTilesDistance) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  timing.sync_distance = {2_cycles, 5_cycles};
  const ChipResult result = run(
      chipOf(timing, {TileBuilder().compute(0, {workers(1, 10)}).sync(1), TileBuilder().sync(1)}));
  // Asked at 60 and 0, at the controller at 62 and 5, released at 72.
  EXPECT_EQ(result.finish, (std::vector<Cycles>{74_cycles, 77_cycles}));
  EXPECT_EQ(result.busyOf(1, 0), 14_cycles);
  EXPECT_EQ(result.busyOf(1, 1), 77_cycles);
  EXPECT_EQ(result.end, 77_cycles);
}

TEST_P(SyncRule, TheLastRequestMayBeTheFirstAskedFor) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  timing.sync_distance = {2_cycles, 100_cycles};
  const ChipResult result = run(
      chipOf(timing, {TileBuilder().compute(0, {workers(1, 10)}).sync(1), TileBuilder().sync(1)}));
  // At the controller at 62 and 100, released at 110.
  EXPECT_EQ(result.finish, (std::vector<Cycles>{112_cycles, 210_cycles}));
}

TEST_P(SyncRule, TilesDriftBetweenSyncs) {
  const std::vector<TileBuilder> tiles = {
      TileBuilder().compute(0, {workers(1, 10)}).compute(1, {workers(1, 1)}).sync(2),
      TileBuilder().compute(0, {workers(1, 1)}).compute(1, {workers(1, 10)}).sync(2)};
  const ChipResult result = run(chipOf(plainTiming(2), tiles));
  // With a barrier between the two Computes it would be 120.
  EXPECT_EQ(result.end, 66_cycles);
}

TEST_P(SyncRule, EachSyncStartsAnew) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 1_cycles;
  const TileBuilder late = TileBuilder().compute(0, {workers(1, 10)}).sync(1).sync(1);
  const ChipResult result = run(chipOf(timing, {late, TileBuilder().sync(1).sync(1)}));
  EXPECT_EQ(result.end, 62_cycles);
  EXPECT_EQ(result.busyOf(1, 1), 62_cycles);
}

INSTANTIATE_TEST_SUITE_P(Engines, SyncRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
