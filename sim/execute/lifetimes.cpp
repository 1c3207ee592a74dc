// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/lifetimes.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;
using compiler::LiveRange;
using compiler::Step;

namespace {

bool livesAt(const Block& block, std::uint32_t position) {
  return block.always_live ||
         std::any_of(block.live.begin(), block.live.end(),
                     [position](const LiveRange& range) { return range.holds(position); });
}

/// Calls `use` with every block that the step reads or writes.
template <typename Use>
void forEachBlock(const Step& step, const Use& use) {
  for (const compiler::BoundFamily& family : step.families) {
    for (const compiler::BoundField& field : family.fields.list()) {
      for (const compiler::EdgePattern& pattern : field.patterns) use(pattern.block);
    }
  }
  step.messages.forEach([&](const compiler::Message& message) {
    use(message.from);
    step.messages.forEachDestination(
        message, [&](const compiler::Destination& destination) { use(destination.block); });
  });
  for (const compiler::RowPart& part : step.remote.parts) use(part.block);
  if (step.remote.row_block != compiler::kNoBlock) use(step.remote.row_block);
}

bool mayCarry(const Block& block, const RunningLoop& loop) {
  return block.variable != compiler::kNoVariable &&
         std::any_of(block.live.begin(), block.live.end(), [&loop](const LiveRange& range) {
           return range.first <= loop.body.first && loop.body.last <= range.last;
         });
}

}  // namespace

void verifyLiveness(const Executable& executable) {
  for (std::uint32_t position = 0; position < executable.lowered.positions.size(); ++position) {
    const Step& step = executable.lowered.steps[indexOf(executable.lowered.positions[position])];
    forEachBlock(step, [&](BlockId id) {
      if (livesAt(executable.lowered.blocks.at(indexOf(id)), position)) return;
      throw InternalError(step.name + ": block " + std::to_string(indexOf(id)) +
                          " does not live at step " + std::to_string(position));
    });
  }
}

Lifetimes::Lifetimes(const Executable& executable, TileMemories& memories)
    : blocks_(executable.lowered.blocks),
      memories_(memories),
      beginning_at_(executable.lowered.positions.size()),
      ending_at_(executable.lowered.positions.size()) {
  if (executable.lowered.positions.empty()) return;
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
    if (!goes_on) memories_.begin(id, block);
  }
}

void Lifetimes::end(std::uint32_t position, const std::vector<RunningLoop>& loops) {
  for (const BlockId id : ending_at_[position]) {
    const Block& block = blocks_[indexOf(id)];
    const bool goes_on = std::any_of(loops.begin(), loops.end(), [&](const RunningLoop& loop) {
      return loop.iterations_left > 0 && mayCarry(block, loop);
    });
    if (!goes_on) memories_.end(id, block);
  }
}

}  // namespace ipusim::executor
