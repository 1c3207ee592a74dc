// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

class ExchangeRule : public BothEngines {
 protected:
  /// Tiles that are released at 15, and go on at 20.
  static ChipTiming distant(std::size_t tiles) {
    ChipTiming timing = plainTiming(tiles);
    timing.sync_base = 10_cycles;
    timing.sync_distance.assign(tiles, 5_cycles);
    return timing;
  }

  /// Every tile of a chip takes part in one exchange.
  static ChipPrograms exchanging(std::size_t tiles, const Messages& messages) {
    const TileBuilder tile = TileBuilder().sync(0).exchange(1);
    return chipOf(distant(tiles), std::vector<TileBuilder>(tiles, tile), {messages});
  }

  static std::string errorOf(const ChipPrograms& programs) {
    return internalErrorOf([&] { run(programs); });
  }
};

TEST_P(ExchangeRule, CountsFromWhenTheReleaseReachesATile) {
  ChipPrograms chip = exchanging(2, {{0, {1}, 25_cycles, 8_cycles}});
  const ChipResult result = run(chip);
  EXPECT_EQ(result.end, 53_cycles);
  EXPECT_EQ(result.busyOf(1, 0), 33_cycles);
  chip.timing.sync_distance[1] = 3_cycles;
  EXPECT_EQ(run(chip).finish, (std::vector<Cycles>{53_cycles, 51_cycles}));
}

TEST_P(ExchangeRule, EndsWithTheLastSendAndTheLastReceive) {
  const ChipPrograms chip = exchanging(3, {{0, {2}, 25_cycles, 8_cycles},
                                           {0, {2}, 45_cycles, 2_cycles},
                                           {1, {0}, 0_cycles, 95_cycles}});
  EXPECT_EQ(run(chip).finish, (std::vector<Cycles>{115_cycles, 115_cycles, 67_cycles}));
}

TEST_P(ExchangeRule, HoldsTheReceiversForTheControlWordsAndTheLendersForThePayload) {
  const ChipPrograms chip = exchanging(4, {{0, {2, 3}, 10_cycles, 8_cycles, 2_cycles, {1}}});
  EXPECT_EQ(run(chip).finish, (std::vector<Cycles>{38_cycles, 38_cycles, 40_cycles, 40_cycles}));
}

TEST_P(ExchangeRule, IsOverAtOnceForATileThatComesLate) {
  const TileBuilder late = TileBuilder().sync(0).compute(1, {workers(1, 10)}).exchange(2);
  const TileBuilder early = TileBuilder().sync(0).exchange(2);
  const ChipResult result = run(chipOf(
      distant(2), {late, early}, {{{0, {1}, 0_cycles, 8_cycles}, {1, {0}, 1_cycles, 9_cycles}}}));
  EXPECT_EQ(result.end, 80_cycles);
  EXPECT_EQ(result.busyOf(2, 0), 0_cycles);
}

TEST_P(ExchangeRule, WithoutMessagesTakesNoTime) {
  const TileBuilder tile = TileBuilder().exchange(0).sync(0).exchange(0);
  EXPECT_EQ(run(chipOf(distant(1), {tile}, {{}})).end, 20_cycles);
}

TEST_P(ExchangeRule, MessagesMayFollowOneAnotherWithoutAGap) {
  const ChipPrograms chip =
      exchanging(2, {{0, {1}, 0_cycles, 8_cycles}, {0, {1}, 8_cycles, 1_cycles}});
  EXPECT_EQ(run(chip).end, 29_cycles);
}

TEST_P(ExchangeRule, ASenderThatSendsTwoAtOnceIsAnError) {
  const ChipPrograms chip =
      exchanging(3, {{0, {1}, 0_cycles, 8_cycles}, {0, {2}, 7_cycles, 1_cycles}});
  EXPECT_EQ(errorOf(chip),
            "tile 0: two messages meet on its send port in cycle 27: transmission 0 (tile 0 to "
            "tile 1, cycles 20 to 28) and transmission 1 (tile 0 to tile 2, cycles 27 to 28)");
}

TEST_P(ExchangeRule, AReceiverThatListensToAnotherIsAnError) {
  const ChipPrograms chip =
      exchanging(4, {{0, {2}, 0_cycles, 8_cycles}, {1, {3, 2}, 7_cycles, 1_cycles}});
  EXPECT_EQ(errorOf(chip),
            "tile 2: two messages meet on its receive port in cycle 27: transmission 0 (tile 0 to "
            "tile 2, cycles 20 to 28) and transmission 1 (tile 1 to 2 tiles, cycles 27 to 28)");
}

TEST_P(ExchangeRule, AReceiverThatStillTakesControlWordsIsAnError) {
  const Message first = {0, {2}, 0_cycles, 8_cycles, 1_cycles};
  EXPECT_EQ(run(exchanging(3, {first, {1, {2}, 9_cycles, 1_cycles}})).end, 30_cycles);
  EXPECT_EQ(errorOf(exchanging(3, {first, {1, {2}, 8_cycles, 1_cycles}})),
            "tile 2: two messages meet on its receive port in cycle 28: transmission 0 (tile 0 to "
            "tile 2, cycles 20 to 29) and transmission 1 (tile 1 to tile 2, cycles 28 to 29)");
}

TEST_P(ExchangeRule, ALenderThatSendsItselfIsAnError) {
  const Message doubled = {0, {2}, 0_cycles, 8_cycles, 0_cycles, {1}};
  EXPECT_EQ(errorOf(exchanging(4, {doubled, {1, {3}, 7_cycles, 1_cycles}})),
            "tile 1: two messages meet on its send port in cycle 27: transmission 0 (tile 0 to "
            "tile 2, cycles 20 to 28) and transmission 1 (tile 1 to tile 3, cycles 27 to 28)");
}

TEST_P(ExchangeRule, TwoExchangesAfterOneSyncShareThePorts) {
  const auto after = [](Cycles start) {
    const TileBuilder tile = TileBuilder().sync(0).exchange(1, 0).exchange(2, 1);
    return chipOf(distant(2), {tile, tile},
                  {{{0, {1}, 0_cycles, 8_cycles}}, {{0, {1}, start, 1_cycles}}});
  };
  EXPECT_EQ(run(after(8_cycles)).end, 29_cycles);
  EXPECT_EQ(errorOf(after(7_cycles)),
            "tile 0: two messages meet on its send port in cycle 27: transmission 0 (tile 0 to "
            "tile 1, cycles 20 to 28) and transmission 1 (tile 0 to tile 1, cycles 27 to 28)");
}

/// Tile 0 takes part in the second exchange only, which is played for it before the first one is.
TEST_P(ExchangeRule, ATileMayComeToASecondExchangeBeforeOthersComeToTheFirst) {
  const TileBuilder second = TileBuilder().sync(0).exchange(2, 1);
  const TileBuilder first = TileBuilder().sync(0).exchange(1, 0);
  const TileBuilder both = TileBuilder().sync(0).exchange(1, 0).exchange(2, 1);
  const ChipPrograms chip =
      chipOf(distant(3), {second, both, first},
             {{{2, {1}, 0_cycles, 8_cycles}}, {{0, {1}, 8_cycles, 2_cycles}}});
  EXPECT_EQ(run(chip).finish, (std::vector<Cycles>{30_cycles, 30_cycles, 28_cycles}));
}

TEST_P(ExchangeRule, EachSyncFindsThePortsFree) {
  const TileBuilder tile = TileBuilder().sync(0).exchange(1).sync(0).exchange(1);
  const Messages messages = {{0, {1}, 0_cycles, 8_cycles}, {1, {0}, 0_cycles, 8_cycles}};
  // Goes on at 28, is released again at 43.
  EXPECT_EQ(run(chipOf(distant(2), {tile, tile}, {messages})).end, 56_cycles);
}

TEST_P(ExchangeRule, AnEngineIsAsGoodAsNewAfterAnError) {
  EXPECT_THROW(run(exchanging(2, {{0, {1}, 0_cycles, 8_cycles}, {0, {1}, 7_cycles, 1_cycles}})),
               InternalError);
  EXPECT_EQ(run(chipOf(distant(1), {TileBuilder().sync(0)})).end, 20_cycles);
}

INSTANTIATE_TEST_SUITE_P(Engines, ExchangeRule, testing::ValuesIn(kEngines), engineName);

/// The closed form alone plays an ExchangeBound.
TEST(ExchangeBound, HoldsATileUntilItsPortsAreFree) {
  ChipTiming timing = plainTiming(2);
  timing.sync_base = 10_cycles;
  timing.sync_distance = {5_cycles, 5_cycles};
  const TileBuilder busy = TileBuilder().sync(0).exchangeBound(1, 30_cycles);
  const TileBuilder late =
      TileBuilder().sync(0).compute(1, {workers(1, 10)}).exchangeBound(1, 30_cycles);
  const ChipPrograms chip = chipOf(timing, {busy, late});
  EXPECT_EQ(closedForm(chip).finish, (std::vector<Cycles>{45_cycles, 80_cycles}));
  EXPECT_EQ(internalErrorOf([&] { simulateChip(chip); }),
            "a chip plays transmissions, and no ExchangeBound");
}

}  // namespace
}  // namespace ipusim::models
