// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/tile_layout.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

// The toy machine: 64 KiB. The low half is for code, in elements of 4 KiB. The rest is interleaved,
// in elements of 8 KiB.

namespace ipusim::compiler {

using namespace ipusim::literals;
using models::toyMachine;

namespace {

Block temporary(Bytes bytes, LiveRange live) {
  Block block{TileId(0), kNoVariable, bytes, MemoryCategory::Variables};
  block.live = {live};
  return block;
}

TileLayout layOut(std::vector<Block>& blocks, const CategoryBytes& fixed = {},
                  Bytes least = Bytes(0)) {
  std::vector<BlockId> ids;
  for (std::size_t b = 0; b < blocks.size(); ++b) ids.push_back(static_cast<BlockId>(b));
  return TileLayouter(toyMachine(), blocks).run(fixed, ids, least);
}

CategoryBytes fixedOf(MemoryCategory category, Bytes bytes) {
  CategoryBytes fixed{};
  fixed[static_cast<std::size_t>(category)] = bytes;
  return fixed;
}

}  // namespace

TEST(TileLayout, BlocksLiveTogetherLieApart) {
  std::vector<Block> blocks{temporary(100_B, {0, 2}), temporary(50_B, {2, 3}),
                            temporary(100_B, {3, 4})};
  layOut(blocks);
  EXPECT_EQ(blocks[0].address, 0_B);
  EXPECT_EQ(blocks[2].address, 0_B);    // live after the first
  EXPECT_EQ(blocks[1].address, 104_B);  // past both, at a multiple of 8
}

TEST(TileLayout, BlocksOfLongAndShortLivesMeet) {
  std::vector<Block> blocks{temporary(100_B, {0, 99}), temporary(50_B, {40, 41}),
                            temporary(24_B, {30, 60}), temporary(16_B, {41, 42})};
  layOut(blocks);
  EXPECT_EQ(blocks[0].address, 0_B);
  EXPECT_EQ(blocks[1].address, 104_B);  // past the one that lives long
  EXPECT_EQ(blocks[2].address, 160_B);  // past the one that lives briefly
  EXPECT_EQ(blocks[3].address, 184_B);
}

// The first round puts the third block behind the first, 38,000 B, and the fourth behind the third.
// In the second round the fourth goes first: what lives at position 1 lies without a gap.
TEST(TileLayout, ABlockWithoutRoomGoesFirstInTheNextRound) {
  const std::vector<Block> wanted{temporary(38'000_B, {0, 0}), temporary(30'000_B, {1, 2}),
                                  temporary(20'000_B, {0, 1}), temporary(15'000_B, {1, 2})};
  std::vector<Block> blocks = wanted;
  const TileLayout layout = layOut(blocks, {}, 65'000_B);
  EXPECT_EQ(layout.highest_address, 65'000_B);
  EXPECT_EQ(layout.bytes_over, 0_B);
  EXPECT_EQ(blocks[3].address, 0_B);
  EXPECT_EQ(blocks[1].address, 15'000_B);
  blocks = wanted;
  EXPECT_EQ(layOut(blocks, {}, 66'000_B).bytes_over, 7'464_B);  // no round could help: 73,000 B
}

TEST(TileLayout, WhatLivesAlwaysIsPlacedFirstInEachRound) {
  Block always = temporary(8'000_B, {0, 0});
  always.live.clear();
  always.always_live = true;
  std::vector<Block> blocks{temporary(34'000_B, {0, 0}), temporary(26'000_B, {1, 2}),
                            temporary(17'000_B, {0, 1}), temporary(14'000_B, {1, 2}), always};
  EXPECT_EQ(layOut(blocks, {}, 65'000_B).highest_address, 65'000_B);
  EXPECT_EQ(blocks[4].address, 0_B);
  EXPECT_EQ(blocks[3].address, 8'000_B);
  EXPECT_EQ(blocks[1].address, 22'000_B);
}

TEST(TileLayout, RoundsThatDoNotHelpLeaveTheFirstLayout) {
  std::vector<Block> blocks{temporary(40'000_B, {0, 0}), temporary(30'000_B, {0, 0})};
  EXPECT_EQ(layOut(blocks).bytes_over, 4'464_B);
  EXPECT_EQ(blocks[0].address, 0_B);
  EXPECT_EQ(blocks[1].address, 40'000_B);
}

TEST(TileLayout, InterleavedBlocksLieInTheUpperRegion) {
  std::vector<Block> blocks{temporary(100_B, {0, 0})};
  blocks[0].memory = FieldMemory::Interleaved;
  layOut(blocks);
  EXPECT_EQ(blocks[0].address, 32'768_B);
}

TEST(TileLayout, BlocksThatMustLieApartShareNoElement) {
  std::vector<Block> blocks{temporary(200_B, {0, 0}), temporary(100_B, {0, 0})};
  blocks[1].apart_from = BlockId{0};
  layOut(blocks);
  EXPECT_EQ(blocks[1].address, 4'096_B);
}

TEST(TileLayout, DataStartsBehindTheCode) {
  std::vector<Block> blocks{temporary(8_B, {0, 0})};
  layOut(blocks, fixedOf(MemoryCategory::VertexCode, 1'000_B));
  EXPECT_EQ(blocks[0].address, 1'000_B);
}

TEST(TileLayout, CodeMustFitItsRegion) {
  std::vector<Block> blocks;
  const TileLayout layout = layOut(blocks, fixedOf(MemoryCategory::ExchangeCode, 32'868_B));
  EXPECT_EQ(layout.bytes_over, 100_B);
  EXPECT_EQ(layout.over_category, MemoryCategory::ExchangeCode);
}

TEST(TileLayout, BlamesTheCodeWhereItIsFurtherOverThanTheData) {
  // 1,000 bytes past the 32,768 of the code region. Behind the code 31,768 bytes of data fit.
  const auto code = fixedOf(MemoryCategory::ExchangeCode, 33'768_B);
  std::vector<Block> fewer{temporary(31'868_B, {0, 0})};
  const TileLayout layout = layOut(fewer, code);
  EXPECT_EQ(layout.bytes_over, 1'000_B);
  EXPECT_EQ(layout.over_category, MemoryCategory::ExchangeCode);
  std::vector<Block> more{temporary(33'768_B, {0, 0})};
  EXPECT_EQ(layOut(more, code).bytes_over, 2'000_B);
  EXPECT_EQ(layOut(more, code).over_category, more[0].category);
}

TEST(TileLayout, InterleavedBlocksCannotUseTheLowRegion) {
  std::vector<Block> blocks{temporary(32'768_B, {0, 0}), temporary(16_B, {0, 0})};
  for (Block& block : blocks) block.memory = FieldMemory::Interleaved;
  EXPECT_EQ(layOut(blocks).bytes_over, 16_B);
}

}  // namespace ipusim::compiler
