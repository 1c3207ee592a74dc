// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

class ExchangeRule : public BothEngines {
 protected:
  /// A lone tile, released at 15, that goes on at 20.
  static ChipTiming distantTile() {
    ChipTiming timing = plainTiming(1);
    timing.sync_base = 10_cycles;
    timing.sync_distance = {5_cycles};
    return timing;
  }
};

TEST_P(ExchangeRule, CountsFromTheRelease) {
  const ChipResult result =
      run(chipOf(distantTile(), {TileBuilder().sync(0).exchange(1, {{30_cycles, 8_cycles}})}));
  EXPECT_EQ(result.end, 53_cycles);
  EXPECT_EQ(result.busyOf(1, 0), 33_cycles);
}

TEST_P(ExchangeRule, EndsWithTheLastSendAndTheLastReceive) {
  const TileBuilder tile = TileBuilder().sync(0).exchange(
      1, {{30_cycles, 8_cycles}, {50_cycles, 2_cycles}}, {{0_cycles, 100_cycles}});
  EXPECT_EQ(run(chipOf(distantTile(), {tile})).end, 115_cycles);
}

TEST_P(ExchangeRule, IsOverAtOnceForATileThatComesLate) {
  const TileBuilder tile = TileBuilder()
                               .sync(0)
                               .compute(1, {workers(1, 10)})
                               .exchange(2, {{0_cycles, 8_cycles}}, {{1_cycles, 9_cycles}});
  const ChipResult result = run(chipOf(distantTile(), {tile}));
  EXPECT_EQ(result.end, 80_cycles);
  EXPECT_EQ(result.busyOf(2, 0), 0_cycles);
}

TEST_P(ExchangeRule, WithoutMessagesTakesNoTime) {
  EXPECT_EQ(run(chipOf(distantTile(), {TileBuilder().exchange(0, {}).sync(0).exchange(0, {})})).end,
            20_cycles);
}

TEST_P(ExchangeRule, MessagesMayFollowOneAnotherWithoutAGap) {
  const std::vector<PortUse> uses = {{0_cycles, 8_cycles}, {8_cycles, 1_cycles}};
  EXPECT_EQ(run(chipOf(distantTile(), {TileBuilder().sync(0).exchange(1, uses, uses)})).end,
            24_cycles);
}

TEST_P(ExchangeRule, MessagesThatMeetOnAPortAreAnError) {
  const std::vector<PortUse> uses = {{0_cycles, 8_cycles}, {7_cycles, 1_cycles}};
  const auto sends = chipOf(distantTile(), {TileBuilder().sync(0).exchange(1, uses)});
  const auto receives = chipOf(distantTile(), {TileBuilder().sync(0).exchange(1, {}, uses)});
  EXPECT_THROW(run(sends), InternalError);
  EXPECT_THROW(run(receives), InternalError);
}

TEST_P(ExchangeRule, TwoExchangesAfterOneSyncShareThePorts) {
  const auto after = [](Cycles start) {
    return chipOf(distantTile(), {TileBuilder()
                                      .sync(0)
                                      .exchange(1, {{0_cycles, 8_cycles}})
                                      .exchange(2, {{start, 1_cycles}})});
  };
  EXPECT_EQ(run(after(8_cycles)).end, 24_cycles);
  EXPECT_THROW(run(after(7_cycles)), InternalError);
}

TEST_P(ExchangeRule, EachSyncFindsThePortsFree) {
  const std::vector<PortUse> use = {{0_cycles, 8_cycles}};
  const TileBuilder tile =
      TileBuilder().sync(0).exchange(1, use, use).sync(0).exchange(1, use, use);
  // Goes on at 23, is released again at 38.
  EXPECT_EQ(run(chipOf(distantTile(), {tile})).end, 46_cycles);
}

TEST_P(ExchangeRule, AnEngineIsAsGoodAsNewAfterAnError) {
  const std::vector<PortUse> uses = {{0_cycles, 8_cycles}, {7_cycles, 1_cycles}};
  EXPECT_THROW(run(chipOf(distantTile(), {TileBuilder().sync(0).exchange(1, uses)})),
               InternalError);
  EXPECT_EQ(run(chipOf(distantTile(), {TileBuilder().sync(0)})).end, 20_cycles);
}

TEST_P(ExchangeRule, SaysWhoseMessagesMeetAndWhere) {
  const std::vector<PortUse> uses = {{0_cycles, 8_cycles}, {7_cycles, 1_cycles}};
  const auto sync = [] { return TileBuilder().sync(0); };
  const auto sends = chipOf(plainTiming(2), {sync(), sync().exchange(1, uses)});
  const auto receives = chipOf(plainTiming(2), {sync(), sync().exchange(1, {}, uses)});
  const auto run_it = [this](const ChipPrograms& programs) {
    return [this, &programs] { run(programs); };
  };
  EXPECT_EQ(internalErrorOf(run_it(sends)), "tile 1: two messages meet on its send port");
  EXPECT_EQ(internalErrorOf(run_it(receives)), "tile 1: two messages meet on its receive port");
}

INSTANTIATE_TEST_SUITE_P(Engines, ExchangeRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
