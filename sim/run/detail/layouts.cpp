// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "sim/compile/layout/tile_layout.h"
#include "sim/run/detail/detail_of.h"
#include "sim/run/summary/buffer_contents.h"

namespace ipusim::run {

using compiler::Block;
using compiler::Executable;

namespace {

PlacedBytes placed(const Block& block, VariableId contents) {
  PlacedBytes bytes;
  bytes.variable = static_cast<std::uint32_t>(contents);
  bytes.category = block.category;
  bytes.address = block.address;
  bytes.bytes = block.bytes;
  bytes.alignment = compiler::alignmentOf(block);
  bytes.interleaved = block.memory == FieldMemory::Interleaved;
  bytes.always_live = block.always_live;
  if (!block.always_live) {
    for (const auto& range : block.live) bytes.live.push_back({range.first, range.last});
  }
  return bytes;
}

/// All that tells one layout from another.
using Key = std::vector<std::uint64_t>;

Key keyOf(const TileLayout& layout) {
  Key key{layout.fixed.value()};
  key.reserve(1 + 5 * layout.blocks.size());
  for (const PlacedBytes& block : layout.blocks) {
    const std::uint64_t flags = static_cast<std::uint64_t>(block.category) << 2 |
                                static_cast<std::uint64_t>(block.interleaved) << 1 |
                                static_cast<std::uint64_t>(block.always_live);
    key.insert(key.end(), {std::uint64_t{block.variable} << 32 | flags, block.address.value(),
                           block.bytes.value(), block.live.size()});
    for (const auto& [first, last] : block.live) {
      key.push_back(std::uint64_t{first} << 32 | last);
    }
  }
  return key;
}

TileLayout layoutOf(const std::vector<const Block*>& blocks, const Executable& executable,
                    const BufferContents& buffers, Bytes always_live) {
  TileLayout layout;
  Bytes in_blocks;
  for (const Block* block : blocks) {
    const auto id = static_cast<BlockId>(block - executable.lowered.blocks.data());
    const bool is_buffer = block->variable == compiler::kNoVariable;
    layout.blocks.push_back(placed(*block, is_buffer ? buffers.variableIn(id) : block->variable));
    if (block->always_live) in_blocks += block->bytes;
  }
  layout.fixed = excess(always_live, in_blocks);
  std::stable_sort(
      layout.blocks.begin(), layout.blocks.end(),
      [](const PlacedBytes& a, const PlacedBytes& b) { return a.address < b.address; });
  return layout;
}

}  // namespace

void addLayouts(const Executable& executable, ProgramDetail& detail) {
  const auto& tiles = executable.memory.tiles;
  std::vector<std::vector<const Block*>> of_tile(tiles.size());
  for (const Block& block : executable.lowered.blocks) of_tile[block.tile.tile()].push_back(&block);
  BufferContents buffers(executable);
  for (const compiler::Step& step : executable.lowered.steps) buffers.add(step);
  std::map<Key, std::uint32_t> known;
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    TileLayout layout = layoutOf(of_tile[t], executable, buffers, tiles[t].always_live);
    const auto next = static_cast<std::uint32_t>(detail.layouts.size());
    const auto [found, is_new] = known.emplace(keyOf(layout), next);
    if (is_new) detail.layouts.push_back(std::move(layout));
    detail.layout_of_tile.push_back(found->second);
  }
}

}  // namespace ipusim::run
