// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
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
  const TileBuilder tile = TileBuilder()
                               .sync(0)
                               .hostTransfer(0, 1_cycles)
                               .compute(0, {workers(1, 1)})
                               .computeMeasured(0, 1_cycles)
                               .exchange(0);
  const ChipPrograms good = chipOf(plainTiming(1), {tile}, {{{0, {0}, 0_cycles, 1_cycles}}});
  const auto refusesAfter = [&good](const auto& change, const char* because) {
    ChipPrograms bad = good;
    change(bad);
    refuses(bad, because);
  };
  refusesAfter([](ChipPrograms& chip) { chip.tiles[0].vertices.clear(); }, "vertices out of range");
  refusesAfter([](ChipPrograms& chip) { chip.tiles[0].waits.clear(); }, "no such wait");
  refusesAfter([](ChipPrograms& chip) { chip.exchanges.clear(); }, "no such exchange");
  refusesAfter([](ChipPrograms& chip) { chip.transmissions.clear(); }, "out of range");
  refusesAfter([](ChipPrograms& chip) { chip.transmission_tiles.clear(); }, "out of range");
  refusesAfter([](ChipPrograms& chip) { chip.host_transfers.clear(); }, "no such transfer");
  refusesAfter([](ChipPrograms& chip) { chip.steps = 0; }, "no such step");
  EXPECT_NO_THROW(run(good));
}

TEST_P(VerifyRule, AnExchangeNeedsASyncBeforeItAndMessagesACycle) {
  const auto with = [](const TileBuilder& tile, const Message& message) {
    return chipOf(plainTiming(1), {tile}, {{message}});
  };
  const Message message = {0, {0}, 0_cycles, 1_cycles};
  refuses(with(TileBuilder().exchange(0).sync(0), message), "before the first");
  const TileBuilder tile = TileBuilder().sync(0).exchange(0);
  refuses(with(tile, {0, {0}, 0_cycles, 0_cycles}), "at least a cycle");
  refuses(with(tile, {0, {}, 0_cycles, 1_cycles}), "has a receiver");
  refuses(with(tile, {0, {1}, 0_cycles, 1_cycles}), "both ends on the chip");
  refuses(with(tile, {1, {0}, 0_cycles, 1_cycles}), "both ends on the chip");
}

TEST_P(VerifyRule, BothEndsOfAMessageTakePart) {
  const TileBuilder part = TileBuilder().sync(0).exchange(0).sync(0);
  const TileBuilder none = TileBuilder().sync(0).sync(0);
  const TileBuilder later = TileBuilder().sync(0).sync(0).exchange(0);
  const TileBuilder twice = TileBuilder().sync(0).exchange(0).sync(0).exchange(0);
  const auto between = [](const TileBuilder& sender, const TileBuilder& receiver) {
    return chipOf(plainTiming(2), {sender, receiver}, {{{0, {1}, 0_cycles, 1_cycles}}});
  };
  EXPECT_NO_THROW(run(between(part, part)));
  EXPECT_NO_THROW(run(between(twice, twice)));
  refuses(between(part, none), "tile 1, exchange 0: takes no part in a message of it");
  refuses(between(none, part), "tile 0, exchange 0: takes no part in a message of it");
  refuses(between(part, later), "tile 1, exchange 0: has it where another tile has not");
  refuses(between(part, twice), "tile 1, exchange 0: has it where another tile has not");
  refuses(between(twice, part), "tile 1, exchange 0: has it less often than another tile");
}

TEST_P(VerifyRule, AWaitFitsTheClock) {
  const std::uint64_t half = kLastCycle.value() / 2;
  EXPECT_THROW(run(chipOf(plainTiming(1), {TileBuilder().compute(0, {workers(3, half / 6)})})),
               CountError);
  const TileBuilder late = TileBuilder().sync(0).exchange(0);
  EXPECT_THROW(run(chipOf(plainTiming(1), {late}, {{{0, {0}, kLastCycle, 1_cycles}}})), CountError);
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
