// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/memory.h"

#include <algorithm>
#include <numeric>

#include "base/units.h"
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
                 const CategoryBytes& fixed, TileMemory& tile, std::vector<Bytes>& live_bytes) {
  tile.at_peak = fixed;
  tile.always_live = std::accumulate(fixed.begin(), fixed.end(), Bytes(0));
  const std::vector<std::uint64_t> live = liveBytes(lowered, blocks);
  if (!live.empty()) {
    const auto peak = std::max_element(live.begin(), live.end());
    tile.peak_not_always_live = Bytes(*peak);
    tile.peak_position = static_cast<std::uint32_t>(peak - live.begin());
    std::transform(live.begin(), live.end(), live_bytes.begin(), live_bytes.begin(),
                   [](std::uint64_t own, Bytes all) { return all + Bytes(own); });
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

/// The tile that is furthest over, and what overflows there.
std::optional<OutOfMemory> worstOverflow(const Lowered& lowered,
                                         const std::vector<TileMemory>& tiles) {
  const auto worst = std::max_element(
      tiles.begin(), tiles.end(),
      [](const TileMemory& a, const TileMemory& b) { return a.bytes_over < b.bytes_over; });
  if (worst == tiles.end() || worst->bytes_over == Bytes(0)) return std::nullopt;
  const std::string step =
      lowered.positions.empty()
          ? ""
          : lowered.steps[indexOf(lowered.positions[worst->peak_position])].name;
  return OutOfMemory{TileId(static_cast<std::uint32_t>(worst - tiles.begin())), step,
                     worst->over_category, worst->bytes_over};
}

}  // namespace

Placed layOut(Lowered& lowered, const models::TileSram& sram,
              const std::vector<CategoryBytes>& fixed) {
  const auto of_tile = blocksByTile(lowered.blocks, fixed.size());
  Placed placed;
  MemoryMap& memory = placed.memory;
  memory.tiles.resize(fixed.size());
  memory.live_bytes.resize(lowered.positions.size());
  for (std::size_t t = 0; t < fixed.size(); ++t) {
    TileMemory& tile = memory.tiles[t];
    accountTile(lowered, of_tile[t], fixed[t], tile, memory.live_bytes);
    const TileLayout layout = layOutTile(sram, fixed[t], of_tile[t], lowered.blocks);
    tile.highest_address = layout.highest_address;
    tile.bytes_over = layout.bytes_over;
    tile.over_category = layout.over_category;
  }
  placed.out_of_memory = worstOverflow(lowered, memory.tiles);
  return placed;
}

}  // namespace ipusim::compiler
