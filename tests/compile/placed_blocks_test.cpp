// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/placed_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ipusim::compiler {

using namespace ipusim::literals;

namespace {

constexpr std::uint32_t kPositions = 120;

Block drawBlock(std::mt19937& random, bool always_live) {
  const auto draw = [&random](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  Block block{TileId(0), kNoVariable, Bytes(1 + draw(90)), MemoryCategory::Variables};
  block.always_live = always_live;
  block.live.clear();
  std::uint32_t next = draw(kPositions);
  for (std::uint32_t ranges = 1 + draw(2); ranges > 0 && next < kPositions; --ranges) {
    const std::uint32_t last = std::min(kPositions - 1, next + draw(draw(4) == 0 ? 80 : 6));
    block.live.push_back({next, last});
    next = last + 2 + draw(10);
  }
  return block;
}

/// The address that trying all of them finds.
Bytes triedAddress(const std::vector<Block>& blocks, std::size_t index, const AddressRule& rule,
                   const std::vector<Span>& apart) {
  const Block& block = blocks[index];
  const auto meets = [&](Bytes address, const Span& span) {
    return span.begin < address + block.bytes && address < span.end;
  };
  for (Bytes address = rule.lowest;; address += rule.alignment) {
    bool is_free = !meets(address, {0_B, 100_B});
    for (const Span& span : apart) is_free = is_free && !meets(address, span);
    for (std::size_t b = 0; b < index; ++b) {
      const Block& other = blocks[b];
      const bool is_clear = !meets(address, {other.address, other.address + other.bytes});
      is_free = is_free && (is_clear || !liveTogether(block, other));
    }
    if (is_free) return address;
  }
}

}  // namespace

TEST(PlacedBlocks, RoomIsAtTheLowestFreeAddress) {
  std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): each run draws the same
  for (int round = 0; round < 5; ++round) {
    std::vector<Block> blocks;
    blocks.reserve(400);
    for (int b = 0; b < 400; ++b) blocks.push_back(drawBlock(random, b < 20));
    PlacedBlocks placed(blocks, 8_B, 100_B);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const AddressRule rule = random() % 4 == 0 ? AddressRule{256_B, 16_B} : AddressRule{0_B, 8_B};
      std::vector<Span> apart;
      if (random() % 8 == 0) apart.push_back({Bytes(random() % 512), 640_B});
      const Bytes address = placed.roomFor(blocks[b], rule, apart);
      ASSERT_EQ(address, triedAddress(blocks, b, rule, apart)) << "block " << b;
      blocks[b].address = address;
      placed.add(static_cast<BlockId>(b));
    }
  }
}

/// Equal blocks that live together are many where a trace names many variables of one tile.
TEST(PlacedBlocks, RoomForABlockLikeTheLastIsAtTheLowestFreeAddress) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): each run draws the same
  std::vector<Block> blocks;
  while (blocks.size() < 600) {
    const Block drawn = drawBlock(random, blocks.size() < 20);
    blocks.insert(blocks.end(), 1 + random() % 9, drawn);
  }
  PlacedBlocks placed(blocks, 8_B, 100_B);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const AddressRule rule{0_B, 8_B};
    blocks[b].address = placed.roomFor(blocks[b], rule, {});
    ASSERT_EQ(blocks[b].address, triedAddress(blocks, b, rule, {})) << "block " << b;
    placed.add(static_cast<BlockId>(b));
  }
}

}  // namespace ipusim::compiler
