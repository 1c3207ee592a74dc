// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/chip/both_engines.h"
#include "tests/chip/story.h"
#include "tests/chip/tile_builder.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;
using testing::ElementsAre;

class ObserverRule : public BothEngines {
 protected:
  static std::vector<std::string> storyOf(const ChipPrograms& programs) {
    Story story;
    run(programs, &story);
    return story.lines();
  }

  /// Two tiles, released ten cycles after the last request.
  static ChipTiming twoTiles() {
    ChipTiming timing = plainTiming(2);
    timing.sync_base = 10_cycles;
    return timing;
  }
};

TEST_P(ObserverRule, HearsWhoWasBusyWhen) {
  const TileBuilder late = TileBuilder().compute(0, {workers(1, 10)}).sync(1);
  // Tile 1 computes nothing, so the observer is told nothing about it.
  const TileBuilder early = TileBuilder().compute(0, {}).sync(1);
  EXPECT_THAT(storyOf(chipOf(twoTiles(), {late, early})),
              ElementsAre("busy 0 0 step 0: 0 to 60 x 1", "busy 0 2 step 1: 60 to 70 x 1",
                          "busy 1 2 step 1: 0 to 70 x 1", "sync 0 0 step 1: 60 to 70 x 1"));
}

TEST_P(ObserverRule, HearsATransmissionOnceWithAllItsReceivers) {
  const TileBuilder tile = TileBuilder().sync(0).exchange(1);
  ChipTiming timing = twoTiles();
  timing.sync_distance = {3_cycles, 5_cycles};
  const ChipPrograms chip =
      chipOf(timing, {tile, tile}, {{{0, {0, 1}, 4_cycles, 6_cycles, 1_cycles}}});
  // The controller releases at 15; the release reaches the sender at 18.
  EXPECT_THAT(storyOf(chip), testing::Contains("transmission 0 0 step 1: 22 to 28 x 1").Times(1));
}

TEST_P(ObserverRule, HearsAHostTransfer) {
  const TileBuilder tile = TileBuilder().sync(0).hostTransfer(1, 100_cycles);
  EXPECT_THAT(storyOf(chipOf(twoTiles(), {tile, tile})),
              testing::Contains("host transfer 0 0 step 1: 10 to 110 x 1").Times(1));
}

TEST_P(ObserverRule, HearsTheSecondIterationForAllThatFollow) {
  const TileBuilder tile =
      TileBuilder().repeat(5).sync(0).repeat(4).compute(1, {workers(1, 1)}).end().end();
  EXPECT_THAT(storyOf(chipOf(plainTiming(1), {tile})),
              ElementsAre("busy 0 0 step 1: 0 to 6 x 1", "busy 0 0 step 1: 24 to 30 x 4",
                          "busy 0 0 step 1: 30 to 36 x 12", "busy 0 0 step 1: 6 to 12 x 3",
                          "sync 0 0 step 0: 0 to 0 x 1", "sync 0 0 step 0: 24 to 24 x 4"));
}

INSTANTIATE_TEST_SUITE_P(Engines, ObserverRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
