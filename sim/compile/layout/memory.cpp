// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/memory.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <numeric>
#include <utility>

#include "ipusim/units.h"
#include "sim/compile/layout/tile_layout.h"
#include "sim/compile/lower/hash_index.h"

namespace ipusim::compiler {

namespace {

std::vector<std::vector<BlockId>> blocksByTile(const std::vector<Block>& blocks,
                                               std::size_t tiles) {
  std::vector<std::vector<BlockId>> of_tile(tiles);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    of_tile[blocks[b].tile.tile()].push_back(static_cast<BlockId>(b));
  }
  return of_tile;
}

/// Sets `live` to the not-always-live bytes at each position.
void countLive(const Lowered& lowered, const std::vector<BlockId>& blocks,
               std::vector<std::uint64_t>& live) {
  live.clear();
  if (lowered.positions.empty()) return;
  live.resize(lowered.positions.size() + 1);
  for (const BlockId id : blocks) {
    const Block& block = lowered.blocks[indexOf(id)];
    if (block.always_live) continue;
    for (const LiveRange& range : block.live) {
      live[range.first] += block.bytes.value();
      live[range.last + 1] -= block.bytes.value();  // wraps, and the running sum wraps back
    }
  }
  std::partial_sum(live.begin(), live.end(), live.begin());
  live.pop_back();
}

void accountTile(const Lowered& lowered, const std::vector<BlockId>& blocks,
                 const CategoryBytes& fixed, const std::vector<std::uint64_t>& live,
                 TileMemory& tile) {
  tile.at_peak = fixed;
  tile.always_live = std::accumulate(fixed.begin(), fixed.end(), Bytes(0));
  if (!live.empty()) {
    const auto peak = std::max_element(live.begin(), live.end());
    tile.peak_not_always_live = Bytes(*peak);
    tile.peak_position = static_cast<std::uint32_t>(peak - live.begin());
  }
  for (const BlockId id : blocks) {
    const Block& block = lowered.blocks[indexOf(id)];
    const bool at_peak =
        std::any_of(block.live.begin(), block.live.end(),
                    [&tile](const LiveRange& range) { return range.holds(tile.peak_position); });
    if (block.always_live) tile.always_live += block.bytes;
    if (block.always_live || at_peak) tile.at_peak[indexOf(block.category)] += block.bytes;
  }
}

/// Keeps the curves of tiles. Equal curves are kept once.
class CurveTable {
 public:
  /// Adds the curve of the next tile, from its bytes at each position.
  void add(const std::vector<std::uint64_t>& live) {
    LivenessCurve curve;
    std::size_t hash = 0;
    std::uint64_t before = 0;
    for (std::uint32_t position = 0; position < live.size(); ++position) {
      if (live[position] == before) continue;
      before = live[position];
      curve.push_back({position, Bytes(before)});
      boost::hash_combine(hash, position);
      boost::hash_combine(hash, before);
    }
    const auto next = static_cast<std::uint32_t>(table_.curves.size());
    const auto same = [&](std::uint32_t other) { return table_.curves[other] == curve; };
    const std::uint32_t number = index_.findOrAdd(hash, next, same);
    if (number == next) table_.curves.push_back(std::move(curve));
    table_.curve_of_tile.push_back(number);
  }
  /// Adds the curve of the next tile: that of an earlier tile.
  void addLike(std::uint32_t tile) { table_.curve_of_tile.push_back(table_.curve_of_tile[tile]); }
  [[nodiscard]] LivenessCurves take() { return std::move(table_); }

 private:
  LivenessCurves table_;
  HashIndex index_;
};

}  // namespace

namespace {

/// Tells the tiles apart that need a layout of their own. Two tiles are alike when their blocks
/// are, one by one: their layouts then differ in nothing.
class TileNumbers {
 public:
  TileNumbers(const std::vector<Block>& blocks, const std::vector<std::vector<BlockId>>& of_tile,
              const std::vector<CategoryBytes>& fixed)
      : blocks_(blocks), of_tile_(of_tile), fixed_(fixed) {}

  /// The first tile that is like tile `t`. To be asked for one tile after the other.
  std::uint32_t firstLike(std::uint32_t t) {
    return index_.findOrAdd(hashOf(t), t, [&](std::uint32_t other) { return areAlike(other, t); });
  }

 private:
  [[nodiscard]] const Block& block(BlockId id) const { return blocks_[indexOf(id)]; }

  [[nodiscard]] std::size_t hashOf(std::uint32_t t) const {
    std::size_t hash = of_tile_[t].size();
    for (const Bytes bytes : fixed_[t]) boost::hash_combine(hash, bytes.value());
    for (const BlockId id : of_tile_[t]) {
      boost::hash_combine(hash, block(id).bytes.value());
      boost::hash_combine(hash, block(id).live.front().first);
    }
    return hash;
  }

  [[nodiscard]] bool areAlike(std::uint32_t a, std::uint32_t b) const {
    const auto same = [&](BlockId of_a, BlockId of_b) {
      const Block& one = block(of_a);
      const Block& other = block(of_b);
      return one.bytes == other.bytes && one.category == other.category &&
             one.memory == other.memory && one.always_live == other.always_live &&
             std::equal(one.live.begin(), one.live.end(), other.live.begin(), other.live.end(),
                        areEqual) &&
             placeOf(one.apart_from, a) == placeOf(other.apart_from, b);
    };
    return fixed_[a] == fixed_[b] && std::equal(of_tile_[a].begin(), of_tile_[a].end(),
                                                of_tile_[b].begin(), of_tile_[b].end(), same);
  }

  static bool areEqual(const LiveRange& a, const LiveRange& b) {
    return a.first == b.first && a.last == b.last;
  }

  /// The place of a block among those of its tile; past the end for no block.
  [[nodiscard]] std::ptrdiff_t placeOf(BlockId id, std::uint32_t tile) const {
    const std::vector<BlockId>& ids = of_tile_[tile];
    return std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
  }

  const std::vector<Block>& blocks_;
  const std::vector<std::vector<BlockId>>& of_tile_;
  const std::vector<CategoryBytes>& fixed_;
  HashIndex index_;
};

void copyAddresses(const std::vector<BlockId>& from, const std::vector<BlockId>& to,
                   std::vector<Block>& blocks) {
  for (std::size_t b = 0; b < from.size(); ++b) {
    blocks[indexOf(to[b])].address = blocks[indexOf(from[b])].address;
  }
}

}  // namespace

MemoryMap layOut(Lowered& lowered, const TileSram& sram, const std::vector<CategoryBytes>& fixed) {
  const auto of_tile = blocksByTile(lowered.blocks, fixed.size());
  MemoryMap memory;
  memory.tiles.resize(fixed.size());
  CurveTable curves;
  TileNumbers numbers(lowered.blocks, of_tile, fixed);
  TileLayouter layouter(sram, lowered.blocks);
  std::vector<std::uint64_t> live;
  for (std::uint32_t t = 0; t < fixed.size(); ++t) {
    TileMemory& tile = memory.tiles[t];
    const std::uint32_t like = numbers.firstLike(t);
    if (like != t) {
      tile = memory.tiles[like];
      curves.addLike(like);
      copyAddresses(of_tile[like], of_tile[t], lowered.blocks);
      continue;
    }
    countLive(lowered, of_tile[t], live);
    curves.add(live);
    accountTile(lowered, of_tile[t], fixed[t], live, tile);
    const TileLayout layout = layouter.run(fixed[t], of_tile[t], tile.bytes());
    tile.highest_address = layout.highest_address;
    tile.bytes_over = layout.bytes_over;
    tile.over_category = layout.over_category;
  }
  memory.liveness = curves.take();
  return memory;
}

}  // namespace ipusim::compiler
