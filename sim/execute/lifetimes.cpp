// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/lifetimes.h"

#include <algorithm>

namespace ipusim::checker {

using compiler::Block;
using compiler::Executable;
using compiler::LiveRange;

namespace {

bool mayCarry(const Block& block, const RunningLoop& loop) {
  return block.variable != compiler::kNoVariable &&
         std::any_of(block.live.begin(), block.live.end(), [&loop](const LiveRange& range) {
           return range.first <= loop.body.first && loop.body.last <= range.last;
         });
}

}  // namespace

Lifetimes::Lifetimes(const Executable& executable, TileMemories& memories)
    : blocks_(executable.blocks),
      memories_(memories),
      beginning_at_(executable.positions.size()),
      ending_at_(executable.positions.size()) {
  if (executable.positions.empty()) return;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].always_live) continue;
    for (const LiveRange& range : blocks_[b].live) {
      beginning_at_.at(range.first).push_back(static_cast<BlockId>(b));
      ending_at_.at(range.last).push_back(static_cast<BlockId>(b));
    }
  }
}

void Lifetimes::begin(std::uint32_t position, const std::vector<RunningLoop>& loops) {
  for (const BlockId id : beginning_at_[position]) {
    const Block& block = blocks_[indexOf(id)];
    const bool goes_on = std::any_of(loops.begin(), loops.end(), [&](const RunningLoop& loop) {
      return loop.iterations_done > 0 && mayCarry(block, loop);
    });
    if (!goes_on) memories_.poison(block);
  }
}

void Lifetimes::end(std::uint32_t position, const std::vector<RunningLoop>& loops) {
  for (const BlockId id : ending_at_[position]) {
    const Block& block = blocks_[indexOf(id)];
    const bool goes_on = std::any_of(loops.begin(), loops.end(), [&](const RunningLoop& loop) {
      return loop.iterations_left > 0 && mayCarry(block, loop);
    });
    if (!goes_on) memories_.poison(block);
  }
}

}  // namespace ipusim::checker
