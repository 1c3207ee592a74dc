// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/memory.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <numeric>
#include <utility>

#include "ipusim/units.h"
#include "sim/compile/hash_index.h"
#include "sim/compile/tile_layout.h"

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

/// Not-always-live bytes at each position.
std::vector<std::uint64_t> liveBytes(const Lowered& lowered, const std::vector<BlockId>& blocks) {
  if (lowered.positions.empty()) return {};
  std::vector<std::uint64_t> change(lowered.positions.size() + 1, 0);
  for (const BlockId id : blocks) {
    const Block& block = lowered.blocks[indexOf(id)];
    if (block.always_live) continue;
    for (const LiveRange& range : block.live) {
      change[range.first] += block.bytes.value();
      change[range.last + 1] -= block.bytes.value();  // wraps, and the running sum wraps back
    }
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  change.pop_back();
  return change;
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
  [[nodiscard]] LivenessCurves take() { return std::move(table_); }

 private:
  LivenessCurves table_;
  HashIndex index_;
};

}  // namespace

Placed layOut(Lowered& lowered, const TileSram& sram, const std::vector<CategoryBytes>& fixed) {
  const auto of_tile = blocksByTile(lowered.blocks, fixed.size());
  Placed placed;
  MemoryMap& memory = placed.memory;
  memory.tiles.resize(fixed.size());
  CurveTable curves;
  for (std::size_t t = 0; t < fixed.size(); ++t) {
    TileMemory& tile = memory.tiles[t];
    const std::vector<std::uint64_t> live = liveBytes(lowered, of_tile[t]);
    curves.add(live);
    accountTile(lowered, of_tile[t], fixed[t], live, tile);
    const TileLayout layout = layOutTile(sram, fixed[t], of_tile[t], lowered.blocks);
    tile.highest_address = layout.highest_address;
    tile.bytes_over = layout.bytes_over;
    tile.over_category = layout.over_category;
  }
  memory.liveness = curves.take();
  return placed;
}

}  // namespace ipusim::compiler
