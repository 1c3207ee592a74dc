// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/memory.h"

#include <algorithm>
#include <numeric>

#include "base/units.h"
#include "sim/compile/tile_layout.h"

namespace ipusim::compiler {

namespace {

std::vector<std::vector<BlockId>> blocksByTile(const Executable& executable) {
  std::vector<std::vector<BlockId>> of_tile(executable.machine.tiles);
  for (std::size_t b = 0; b < executable.blocks.size(); ++b) {
    of_tile[executable.blocks[b].tile.tile()].push_back(static_cast<BlockId>(b));
  }
  return of_tile;
}

/// Not-always-live bytes at each position.
std::vector<std::uint64_t> liveBytes(const Executable& executable,
                                     const std::vector<BlockId>& blocks) {
  std::vector<std::uint64_t> change(executable.positions.size() + 1, 0);
  for (const BlockId id : blocks) {
    const Block& block = executable.blocks[indexOf(id)];
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

void accountTile(const Executable& executable, const std::vector<BlockId>& blocks,
                 const CategoryBytes& fixed, TileMemory& tile, std::vector<Bytes>& live_bytes) {
  tile.at_peak = fixed;
  tile.always_live = std::accumulate(fixed.begin(), fixed.end(), Bytes(0));
  const std::vector<std::uint64_t> live = liveBytes(executable, blocks);
  if (!live.empty()) {
    const auto peak = std::max_element(live.begin(), live.end());
    tile.peak_not_always_live = Bytes(*peak);
    tile.peak_position = static_cast<std::uint32_t>(peak - live.begin());
    std::transform(live.begin(), live.end(), live_bytes.begin(), live_bytes.begin(),
                   [](std::uint64_t own, Bytes all) { return all + Bytes(own); });
  }
  for (const BlockId id : blocks) {
    const Block& block = executable.blocks[indexOf(id)];
    const bool at_peak =
        std::any_of(block.live.begin(), block.live.end(),
                    [&tile](const LiveRange& range) { return range.holds(tile.peak_position); });
    if (block.always_live) tile.always_live += block.bytes;
    if (block.always_live || at_peak) tile.at_peak[indexOf(block.category)] += block.bytes;
  }
}

/// The tile that is furthest over, and what overflows there.
std::optional<OutOfMemory> worstOverflow(const Executable& executable) {
  const std::vector<TileMemory>& tiles = executable.memory.tiles;
  const auto worst = std::max_element(
      tiles.begin(), tiles.end(),
      [](const TileMemory& a, const TileMemory& b) { return a.bytes_over < b.bytes_over; });
  if (worst == tiles.end() || worst->bytes_over == Bytes(0)) return std::nullopt;
  const std::string step =
      executable.positions.empty()
          ? ""
          : executable.steps[indexOf(executable.positions[worst->peak_position])].name;
  return OutOfMemory{TileId(static_cast<std::uint32_t>(worst - tiles.begin())), step,
                     worst->over_category, worst->bytes_over};
}

}  // namespace

void layOutMemory(Executable& executable, const std::vector<CategoryBytes>& fixed) {
  const auto of_tile = blocksByTile(executable);
  MemoryMap& memory = executable.memory;
  memory.tiles.assign(executable.machine.tiles, {});
  memory.live_bytes.assign(executable.positions.size(), Bytes(0));
  for (std::uint32_t t = 0; t < executable.machine.tiles; ++t) {
    TileMemory& tile = memory.tiles[t];
    accountTile(executable, of_tile[t], fixed[t], tile, memory.live_bytes);
    const TileLayout layout =
        layOutTile(executable.machine, fixed[t], of_tile[t], executable.blocks);
    tile.highest_address = layout.highest_address;
    tile.bytes_over = layout.bytes_over;
    tile.over_category = layout.over_category;
  }
  executable.out_of_memory = worstOverflow(executable);
}

}  // namespace ipusim::compiler
