// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::Block;
using compiler::Executable;

namespace {

/// Adds the bytes of `tile`. Tiles must come in ascending order.
void append(std::uint32_t tile, Bytes bytes, std::vector<TileRun>& runs) {
  if (!runs.empty()) {
    TileRun& last = runs.back();
    if (last.bytes == bytes && last.first_tile + last.tiles == tile) {
      ++last.tiles;
      return;
    }
  }
  runs.push_back({tile, 1, bytes});
}

/// Any block of a variable will do: all of them live equally long.
void setLife(const Block& block, VariableResult& result) {
  result.always_live = block.always_live;
  if (block.always_live) return;
  result.first_position = block.live.front().first;
  result.last_position = block.live.back().last;
}

}  // namespace

std::vector<VariableResult> summarizeVariables(const Graph& graph, const Executable& executable) {
  std::vector<VariableResult> results;
  results.reserve(executable.lowered.share_of.size());
  for (const std::vector<BlockId>& shares : executable.lowered.share_of) {
    const Variable& variable = graph.variables().at(results.size());
    VariableResult result;
    result.name = variable.name;
    result.type = variable.type;
    result.elements = variable.elements;
    result.shape = variable.shape;
    for (std::uint32_t tile = 0; tile < shares.size(); ++tile) {
      if (shares[tile] == compiler::kNoBlock) continue;
      const Block& block = executable.lowered.blocks[indexOf(shares[tile])];
      if (result.tiles.empty()) setLife(block, result);
      append(tile, block.bytes, result.tiles);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ipusim::run
