// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/chip/both_engines.h"
#include "tests/chip/tile_builder.h"
#include "tests/support/thrown.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr TileOp kBegin{OpKind::RemoteBegin, StepId{1}};
constexpr TileOp kEnd{OpKind::RemoteEnd, StepId{2}};

class RemoteTransferRule : public BothEngines {
 protected:
  /// Released at 10 cycles, each tile goes on 5 cycles later. A transfer has a sync of 20 and a
  /// fixed cost of 100 cycles, and moves 2 bytes per cycle.
  static ChipTiming twoTiles() {
    ChipTiming timing = plainTiming(2);
    timing.sync_base = 5_cycles;
    timing.sync_distance = {5_cycles, 5_cycles};
    timing.streaming = {1, 4U << StreamingTiming::kRateBits, 2U << StreamingTiming::kRateBits,
                        20_cycles, 100_cycles};
    return timing;
  }
  static ChipPrograms withTransfer(const std::vector<TileBuilder>& tiles, Bytes bytes,
                                   Cycles ports) {
    ChipPrograms chip = chipOf(twoTiles(), tiles);
    chip.remote_transfers = {{bytes, bytes, ports, 0, true}};
    return chip;
  }
};

TEST_P(RemoteTransferRule, TakesSyncFixedCostAndTheLongerOfMemoryAndPorts) {
  const TileBuilder tile = TileBuilder().sync(0).meet(kBegin).meet(kEnd);
  const ChipResult result = run(withTransfer({tile, tile}, 64_B, 31_cycles));
  EXPECT_EQ(result.end, Cycles(10 + 20 + 100 + 32));
  EXPECT_EQ(result.busyOf(1, 0), 0_cycles);
  EXPECT_EQ(result.busyOf(2, 0), Cycles(20 + 100 + 32 - 5));
  EXPECT_EQ(run(withTransfer({tile, tile}, 64_B, 33_cycles)).end, Cycles(10 + 20 + 100 + 33));
}

TEST_P(RemoteTransferRule, HasAWholeCycleForItsLastByte) {
  const TileBuilder tile = TileBuilder().sync(0).meet(kBegin).meet(kEnd);
  EXPECT_EQ(run(withTransfer({tile, tile}, 65_B, 0_cycles)).end, Cycles(10 + 20 + 100 + 33));
}

TEST_P(RemoteTransferRule, IsOverForATileThatComesLate) {
  const TileBuilder waits = TileBuilder().sync(0).meet(kBegin).meet(kEnd);
  const TileBuilder works =
      TileBuilder().sync(0).meet(kBegin).compute(3, {workers(1, 50)}).meet(kEnd);
  const ChipResult result = run(withTransfer({waits, works}, 64_B, 0_cycles));
  EXPECT_EQ(result.finish[0], 162_cycles);
  EXPECT_EQ(result.finish[1], 315_cycles);
}

TEST_P(RemoteTransferRule, GoesOnThroughSyncsAndLoops) {
  const TileBuilder tile = TileBuilder()
                               .sync(0)
                               .meet(kBegin)
                               .repeat(1000)
                               .compute(3, {workers(1, 10)})
                               .sync(4)
                               .end()
                               .meet(kEnd);
  // 75 cycles a round, the first after 15.
  EXPECT_EQ(run(withTransfer({tile, tile}, 64_B, 0_cycles)).end, Cycles(15 + 1000 * 75));
}

TEST_P(RemoteTransferRule, FollowsItsOwnSyncWhereTilesAskForTheNextInTheCycleOfItsRelease) {
  const TileBuilder tile = TileBuilder().sync(0).meet(kBegin).sync(3).meet(kEnd);
  ChipPrograms chip = withTransfer({tile, tile}, 64_B, 0_cycles);
  chip.timing.sync_distance = {0_cycles, 0_cycles};
  EXPECT_EQ(run(chip).end, Cycles(5 + 20 + 100 + 32));
}

TEST_P(RemoteTransferRule, BeginsWhenTheTilesComeToIt) {
  const TileBuilder tile = TileBuilder().sync(0).meet(kBegin).meet(kEnd);
  const ChipResult result = run(withTransfer({tile, tile}, 64_B, 0_cycles));
  EXPECT_EQ(result.spans[1].start, 15_cycles);
  EXPECT_EQ(result.spans[1].end, 15_cycles);
}

TEST_P(RemoteTransferRule, RepeatsItself) {
  const TileBuilder tile =
      TileBuilder().repeat(1000).sync(0).meet(kBegin).compute(3, {workers(1, 10)}).meet(kEnd).end();
  EXPECT_EQ(run(withTransfer({tile, tile}, 64_B, 0_cycles)).end, Cycles(162'000));
}

TEST_P(RemoteTransferRule, BeginsRightAfterASyncAndEndsInItsLoop) {
  for (const TileBuilder& wrong :
       {TileBuilder().meet(kBegin).meet(kEnd), TileBuilder().sync(0).meet(kBegin),
        TileBuilder().sync(0).meet(kEnd),
        TileBuilder().sync(0).meet(kBegin).sync(0).meet(kBegin).meet(kEnd).meet(kEnd),
        TileBuilder().repeat(2).sync(0).meet(kBegin).end().meet(kEnd),
        TileBuilder().sync(0).meet(kBegin).repeat(2).meet(kEnd).end()}) {
    EXPECT_THROW(run(withTransfer({wrong, wrong}, 64_B, 0_cycles)), InternalError);
  }
}

TEST_P(RemoteTransferRule, CountsNoFurtherThanTheLastCycle) {
  const TileBuilder tile = TileBuilder().sync(0).meet(kBegin).meet(kEnd);
  EXPECT_THROW(run(withTransfer({tile, tile}, Bytes(std::uint64_t{1} << 60U), 0_cycles)),
               CountError);
}

INSTANTIATE_TEST_SUITE_P(Engines, RemoteTransferRule, testing::ValuesIn(kEngines), engineName);

}  // namespace
}  // namespace ipusim::models
