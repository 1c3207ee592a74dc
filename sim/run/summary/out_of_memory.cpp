// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/run/summary/buffer_contents.h"
#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::Block;
using compiler::Executable;
using compiler::TileMemory;

namespace {

bool livesAt(const Block& block, std::uint32_t position) {
  return block.always_live ||
         std::any_of(block.live.begin(), block.live.end(),
                     [position](const auto& range) { return range.holds(position); });
}

/// The largest block that a tile holds at a position; none for a tile without blocks.
const Block* largestBlock(const Executable& executable, std::uint32_t tile,
                          std::uint32_t position) {
  const Block* largest = nullptr;
  for (const Block& block : executable.lowered.blocks) {
    if (block.tile.tile() != tile || !livesAt(block, position)) continue;
    if (largest == nullptr || block.bytes > largest->bytes) largest = &block;
  }
  return largest;
}

/// The variable of a block, or the one that fills it by the exchange with which its life begins.
VariableId contentsOf(const Block& block, const Executable& executable) {
  if (block.variable != compiler::kNoVariable) return block.variable;
  const auto id = static_cast<BlockId>(&block - executable.lowered.blocks.data());
  BufferContents contents(executable);
  for (const auto& range : block.live) {
    contents.add(executable.lowered.steps[indexOf(executable.lowered.positions.at(range.first))]);
  }
  return contents.variableIn(id);
}

}  // namespace

std::optional<OutOfMemory> outOfMemory(const Graph& graph, const Executable& executable) {
  const std::vector<TileMemory>& tiles = executable.memory.tiles;
  const auto worst = std::max_element(
      tiles.begin(), tiles.end(),
      [](const TileMemory& a, const TileMemory& b) { return a.bytes_over < b.bytes_over; });
  if (worst == tiles.end() || worst->bytes_over == Bytes(0)) return std::nullopt;
  OutOfMemory oom;
  oom.tile = static_cast<std::uint32_t>(worst - tiles.begin());
  oom.bytes_over = worst->bytes_over;
  oom.position = worst->peak_position;
  if (!executable.lowered.positions.empty()) {
    oom.step = executable.lowered.steps[indexOf(executable.lowered.positions[oom.position])].name;
  }
  oom.category = worst->over_category;
  oom.largest = worst->at_peak[indexOf(oom.category)];
  const Block* block = largestBlock(executable, oom.tile, oom.position);
  if (isCode(oom.category) || block == nullptr) return oom;
  oom.category = block->category;
  oom.largest = block->bytes;
  const VariableId variable = contentsOf(*block, executable);
  if (variable != compiler::kNoVariable) oom.variable = graph.variables()[indexOf(variable)].name;
  return oom;
}

}  // namespace ipusim::run
