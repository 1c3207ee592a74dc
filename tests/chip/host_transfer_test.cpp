// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

class HostTransferRule : public BothEngines {
 protected:
  /// Released at 10 cycles, each goes on 5 cycles later.
  static ChipTiming twoTiles() {
    ChipTiming timing = plainTiming(2);
    timing.sync_base = 5_cycles;
    timing.sync_distance = {5_cycles, 5_cycles};
    return timing;
  }
};

TEST_P(HostTransferRule, HoldsEveryTileFromTheReleaseOn) {
  const TileBuilder tile = TileBuilder().sync(0).hostTransfer(1, 100_cycles);
  const ChipResult result = run(chipOf(twoTiles(), {tile, tile}));
  EXPECT_EQ(result.end, 110_cycles);
  EXPECT_EQ(result.busyOf(1, 1), 95_cycles);
}

TEST_P(HostTransferRule, IsOverForATileThatComesLate) {
  const TileBuilder early = TileBuilder().sync(0).hostTransfer(1, 20_cycles);
  const TileBuilder late =
      TileBuilder().sync(0).compute(2, {workers(1, 10)}).hostTransfer(1, 20_cycles);
  const ChipResult result = run(chipOf(twoTiles(), {early, late}));
  EXPECT_EQ(result.finish[0], 30_cycles);
  EXPECT_EQ(result.finish[1], 75_cycles);
}

TEST_P(HostTransferRule, TilesMustAgreeOnItsLength) {
  const TileBuilder tile = TileBuilder().sync(0).hostTransfer(1, 100_cycles);
  const TileBuilder other = TileBuilder().sync(0).hostTransfer(1, 101_cycles);
  EXPECT_THROW(run(chipOf(twoTiles(), {tile, other})), InternalError);
}

TEST_P(HostTransferRule, NeedsASyncBefore) {
  const TileBuilder tile = TileBuilder().hostTransfer(1, 100_cycles);
  EXPECT_THROW(run(chipOf(twoTiles(), {tile, tile})), InternalError);
}

TEST_P(HostTransferRule, HasASyncOfItsOwn) {
  const TileBuilder two =
      TileBuilder().sync(0).hostTransfer(1, 10_cycles).hostTransfer(1, 9_cycles);
  const TileBuilder again = TileBuilder().sync(0).repeat(2).hostTransfer(1, 10_cycles).end();
  EXPECT_THROW(run(chipOf(twoTiles(), {two, two})), InternalError);
  EXPECT_THROW(run(chipOf(twoTiles(), {again, again})), InternalError);
}

INSTANTIATE_TEST_SUITE_P(Engines, HostTransferRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
