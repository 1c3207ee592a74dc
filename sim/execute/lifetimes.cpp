// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/lifetimes.h"

#include <algorithm>

namespace ipusim::checker {

using compiler::Block;
using compiler::BlockId;
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
  for (BlockId id = 0; id < blocks_.size(); ++id) {
    if (blocks_[id].always_live) continue;
    for (const LiveRange& range : blocks_[id].live) {
      beginning_at_.at(range.first).push_back(id);
      ending_at_.at(range.last).push_back(id);
    }
  }
}

void Lifetimes::begin(std::uint32_t position, const std::vector<RunningLoop>& loops) {
  for (const BlockId id : beginning_at_[position]) {
    const Block& block = blocks_[id];
    const bool goes_on = std::any_of(loops.begin(), loops.end(), [&](const RunningLoop& loop) {
      return loop.iterations_done > 0 && mayCarry(block, loop);
    });
    if (!goes_on) memories_.poison(block);
  }
}

void Lifetimes::end(std::uint32_t position, const std::vector<RunningLoop>& loops) {
  for (const BlockId id : ending_at_[position]) {
    const Block& block = blocks_[id];
    const bool goes_on = std::any_of(loops.begin(), loops.end(), [&](const RunningLoop& loop) {
      return loop.iterations_left > 0 && mayCarry(block, loop);
    });
    if (!goes_on) memories_.poison(block);
  }
}

}  // namespace ipusim::checker
