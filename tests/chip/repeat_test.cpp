// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr std::uint64_t kBillion = 1'000'000'000;

class RepeatRule : public BothEngines {};

TEST_P(RepeatRule, MultipliesABodyWithoutASyncTileByTile) {
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, kBillion}) {
    const std::vector<TileBuilder> tiles = {
        TileBuilder().repeat(n).compute(0, {workers(1, 1)}).end(),
        TileBuilder().repeat(n).compute(0, {workers(1, 5)}).end()};
    const ChipResult result = run(chipOf(plainTiming(2), tiles));
    EXPECT_EQ(result.finish, (std::vector<Cycles>{Cycles(6 * n), Cycles(30 * n)}));
    EXPECT_EQ(result.busyOf(0, 1), Cycles(30 * n));
    EXPECT_EQ(result.iterations_simulated, std::min<std::uint64_t>(n, 2));
  }
}

TEST_P(RepeatRule, TheSlowestTileSetsThePaceOfABodyWithASync) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, kBillion}) {
    const std::vector<TileBuilder> tiles = {
        TileBuilder().repeat(n).compute(0, {workers(1, 10)}).sync(1).end(),
        TileBuilder().repeat(n).compute(0, {workers(1, 20)}).sync(1).end()};
    const ChipResult result = run(chipOf(timing, tiles));
    EXPECT_EQ(result.end, Cycles(130 * n));
    EXPECT_EQ(result.busyOf(1, 0), Cycles(70 * n));
    EXPECT_EQ(result.busyOf(1, 1), Cycles(10 * n));
  }
}

// The first iteration differs from the others: no tile waits in its sync.
TEST_P(RepeatRule, TilesThatDriftAfterTheSyncWaitInTheNextIteration) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, kBillion}) {
    const std::vector<TileBuilder> tiles = {
        TileBuilder().repeat(n).sync(0).compute(1, {workers(1, 10)}).end(),
        TileBuilder().repeat(n).sync(0).compute(1, {workers(1, 20)}).end()};
    const ChipResult result = run(chipOf(timing, tiles));
    EXPECT_EQ(result.finish, (std::vector<Cycles>{Cycles(130 * n - 60), Cycles(130 * n)}));
    EXPECT_EQ(result.busyOf(0, 0), Cycles(10 + 70 * (n - 1)));
    EXPECT_EQ(result.busyOf(0, 1), Cycles(10 * n));
  }
}

TEST_P(RepeatRule, RepeatsNest) {
  ChipTiming timing = plainTiming(1);
  timing.sync_base = 10_cycles;
  const TileBuilder tile =
      TileBuilder().repeat(3).repeat(4).compute(0, {workers(1, 10)}).end().sync(1).end();
  const ChipResult result = run(chipOf(timing, {tile}));
  EXPECT_EQ(result.end, 750_cycles);  // 3 (4 60 + 10)
  EXPECT_EQ(result.busyOf(0, 0), 720_cycles);
  EXPECT_EQ(result.busyOf(1, 0), 30_cycles);
  EXPECT_EQ(result.iterations_simulated, 6U);  // 2 of 3, and 2 of 4 in each
  EXPECT_EQ(result.tile_steps, 6U);            // 4 Computes and 2 Syncs
}

TEST_P(RepeatRule, AStepsSpanIsFromItsFirstIterationToItsLast) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  const auto tile = [](std::uint64_t slots) {
    return TileBuilder()
        .compute(0, {workers(1, 1)})
        .repeat(kBillion)
        .repeat(4)
        .compute(1, {workers(1, slots)})
        .end()
        .sync(2)
        .compute(3, {workers(1, 1)})
        .end()
        .compute(0, {workers(1, 2)});
  };
  const ChipResult result = run(chipOf(timing, {tile(5), tile(10)}));
  // An iteration is 4 x 60 cycles of the slower tile, 10 and 6. It begins 6 after the start.
  const std::uint64_t last = 6 + 256 * (kBillion - 1);
  const auto expect_span = [&](std::uint32_t step, std::uint64_t start, std::uint64_t end) {
    EXPECT_EQ(result.spans[step].start, Cycles(start));
    EXPECT_EQ(result.spans[step].end, Cycles(end));
  };
  expect_span(0, 0, last + 256 + 12);
  expect_span(1, 6, last + 240);
  expect_span(2, 6 + 4 * 30, last + 250);
  expect_span(3, 6 + 250, last + 256);
}

TEST_P(RepeatRule, WithoutASyncTheSlowestTilesLastIterationEndsASpan) {
  const auto tile = [](std::uint64_t slots) {
    return TileBuilder()
        .repeat(10)
        .compute(0, {workers(1, 1)})
        .compute(1, {workers(1, slots)})
        .end();
  };
  const ChipResult result = run(chipOf(plainTiming(2), {tile(1), tile(5)}));
  EXPECT_EQ(result.spans[0].start, 0_cycles);
  EXPECT_EQ(result.spans[0].end, Cycles(9 * 36 + 6));
  EXPECT_EQ(result.spans[1].start, 6_cycles);
  EXPECT_EQ(result.spans[1].end, Cycles(10 * 36));
}

TEST_P(RepeatRule, RepeatsWithSyncsNest) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  const auto tile = [](std::uint64_t slots) {
    return TileBuilder()
        .repeat(kBillion)
        .repeat(5)
        .sync(0)
        .end()
        .compute(1, {workers(1, slots)})
        .end();
  };
  const ChipResult result = run(chipOf(timing, {tile(10), tile(20)}));
  EXPECT_EQ(result.end, Cycles(kBillion * (5 * 10 + 120)));
  EXPECT_EQ(result.busyOf(0, 0), Cycles(50 + (kBillion - 1) * 110));
  EXPECT_EQ(result.busyOf(0, 1), Cycles(kBillion * 50));
}

TEST_P(RepeatRule, AnExchangeAfterItCountsFromTheReleaseOfTheLastIteration) {
  ChipTiming timing = plainTiming(1);
  timing.sync_base = 10_cycles;
  const TileBuilder tile = TileBuilder().repeat(100).sync(0).end().exchange(1);
  EXPECT_EQ(run(chipOf(timing, {tile}, {{{0, {0}, 7_cycles, 1_cycles}}})).end, 1008_cycles);
}

TEST_P(RepeatRule, MessagesThatMeetAcrossItsBordersAreAnError) {
  const auto after = TileBuilder().repeat(9).sync(0).exchange(1, 0).end().exchange(2, 1);
  const auto again = TileBuilder().sync(0).repeat(2).exchange(1, 0).end();
  const auto round = TileBuilder().sync(0).repeat(2).exchange(1, 0).sync(0).exchange(2, 1).end();
  const Message message = {0, {0}, 4_cycles, 4_cycles};
  const auto errorOf = [&](const TileBuilder& tile, const std::vector<Messages>& exchanges) {
    return internalErrorOf([&] { run(chipOf(plainTiming(1), {tile}, exchanges)); });
  };
  const std::string met = "tile 0: two messages meet on its send port in cycle 4: transmission ";
  const std::string one = "0 (tile 0 to tile 0, cycles 4 to 8)";
  EXPECT_EQ(errorOf(again, {{message}}), met + one + " and transmission " + one);
  EXPECT_EQ(errorOf(after, {{message}, {message}}),
            "tile 0: two messages meet on its send port in cycle 68: transmission 0 (tile 0 to "
            "tile 0, cycles 68 to 72) and transmission 1 (tile 0 to tile 0, cycles 68 to 72)");
  EXPECT_EQ(errorOf(round, {{message}, {message}}),
            "tile 0: two messages meet on its send port in cycle 12: transmission 1 (tile 0 to "
            "tile 0, cycles 12 to 16) and transmission 0 (tile 0 to tile 0, cycles 12 to 16)");
}

TEST_P(RepeatRule, AnEmptyBodyTakesNoTime) {
  const TileBuilder tile = TileBuilder().repeat(kBillion).repeat(kBillion).end().end();
  EXPECT_EQ(run(chipOf(plainTiming(1), {tile})).end, 0_cycles);
}

TEST_P(RepeatRule, AnExchangeAfterOneWithoutASyncCountsFromTheSyncBefore) {
  const TileBuilder tile =
      TileBuilder().sync(0).repeat(10).compute(1, {workers(1, 1)}).end().exchange(2);
  EXPECT_EQ(run(chipOf(plainTiming(1), {tile}, {{{0, {0}, 61_cycles, 2_cycles}}})).end, 63_cycles);
}

TEST_P(RepeatRule, ARunBeyondTheLastCycleIsAnErrorAndNeverASmallNumber) {
  // 18 (10^9)^2 is 1.8 10^19: in 64 bits, but beyond the clock.
  const auto lone = TileBuilder().repeat(kBillion).repeat(kBillion).compute(0, {workers(1, 3)});
  const auto deep = TileBuilder().repeat(kBillion).repeat(kBillion).repeat(kBillion).sync(0);
  ChipTiming timing = plainTiming(1);
  timing.sync_base = 1_cycles;
  EXPECT_THROW(run(chipOf(timing, {TileBuilder(lone).end().end()})), CountError);
  EXPECT_THROW(run(chipOf(timing, {TileBuilder(deep).end().end().end()})), CountError);
  // Seventeen sixteenths of the clock, one after the other.
  TileBuilder chain;
  for (int i = 0; i < 17; ++i) chain.compute(0, {supervisors(1, kLastCycle.value() / 16)});
  EXPECT_THROW(run(chipOf(timing, {chain})), CountError);
}

INSTANTIATE_TEST_SUITE_P(Engines, RepeatRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
