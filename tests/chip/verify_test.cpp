// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

/// Both engines look before they run.
class VerifyRule : public BothEngines {
 protected:
  static void refuses(const ChipPrograms& programs, const char* because) {
    try {
      run(programs);
      ADD_FAILURE() << "taken, although: " << because;
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find(because), std::string::npos) << error.what();
    }
  }
};

TEST_P(VerifyRule, AllTilesMeetInTheSameOrder) {
  const auto two = [](const TileBuilder& first, const TileBuilder& second) {
    return chipOf(plainTiming(2), {first, second});
  };
  const TileBuilder sync = TileBuilder().sync(0);
  refuses(two(sync, TileBuilder()), "tile 0 goes on");
  refuses(two(TileBuilder(), sync), "another op");
  refuses(two(sync, TileBuilder().repeat(1).end()), "another op");
  refuses(two(TileBuilder().repeat(2).end(), TileBuilder().repeat(3).end()), "number of times");
  EXPECT_NO_THROW(run(two(sync, TileBuilder().compute(0, {workers(1, 1)}).sync(0))));
}

TEST_P(VerifyRule, RepeatsAreClosedAndRun) {
  refuses(chipOf(plainTiming(1), {TileBuilder().repeat(2)}), "not closed");
  refuses(chipOf(plainTiming(1), {TileBuilder().end()}), "no Repeat");
  refuses(chipOf(plainTiming(1), {TileBuilder().repeat(0).end()}), "at least once");
}

TEST_P(VerifyRule, IndicesAreInRange) {
  const ChipPrograms good =
      chipOf(plainTiming(1), {TileBuilder()
                                  .sync(0)
                                  .compute(0, {workers(1, 1)})
                                  .exchange(0, {{0_cycles, 1_cycles}}, {{0_cycles, 1_cycles}})});
  EXPECT_NO_THROW(run(good));
  ChipPrograms bad = good;
  bad.tiles[0].vertices.clear();
  refuses(bad, "vertices out of range");
  bad = good;
  bad.tiles[0].sends.clear();
  refuses(bad, "sends out of range");
  bad = good;
  bad.tiles[0].receives.clear();
  refuses(bad, "receives out of range");
  bad = good;
  bad.steps = 0;
  refuses(bad, "no such step");
}

TEST_P(VerifyRule, AnExchangeNeedsASyncBeforeItAndMessagesACycle) {
  const std::vector<PortUse> use = {{0_cycles, 1_cycles}};
  refuses(chipOf(plainTiming(1), {TileBuilder().exchange(0, use).sync(0)}), "before the first");
  refuses(chipOf(plainTiming(1), {TileBuilder().sync(0).exchange(0, {}, {{0_cycles, 0_cycles}})}),
          "at least a cycle");
}

TEST_P(VerifyRule, AWaitFitsTheClock) {
  const std::uint64_t half = kLastCycle.value() / 2;
  EXPECT_THROW(run(chipOf(plainTiming(1), {TileBuilder().compute(0, {workers(3, half / 6)})})),
               CountError);
  const TileBuilder late = TileBuilder().sync(0).exchange(0, {{kLastCycle, 1_cycles}});
  EXPECT_THROW(run(chipOf(plainTiming(1), {late})), CountError);
  ChipTiming timing = plainTiming(1);
  timing.sync_distance = {kLastCycle};
  refuses(chipOf(timing, {TileBuilder().sync(0)}), "too far");
}

TEST_P(VerifyRule, TheMachineIsWhole) {
  refuses(chipOf(plainTiming(0), {}), "has tiles");
  refuses(chipOf(plainTiming(2), {TileBuilder()}), "sync distance");
  ChipTiming timing = plainTiming(1);
  timing.workers = 0;
  refuses(chipOf(timing, {TileBuilder()}), "worker contexts");
}

INSTANTIATE_TEST_SUITE_P(Engines, VerifyRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
