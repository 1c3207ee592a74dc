// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/buffer_contents.h"

#include <algorithm>

namespace ipusim::run {

using compiler::Destination;
using compiler::kNoVariable;
using compiler::Message;

void BufferContents::add(const compiler::Step& step) {
  step.messages.forEach([&](const Message& message) {
    const VariableId from = executable_.lowered.blocks[indexOf(message.from)].variable;
    if (from == kNoVariable) return;
    const Bytes bytes = step.messages.formOf(message).bytes();
    step.messages.forEachDestination(message, [&](const Destination& destination) {
      if (executable_.lowered.blocks[indexOf(destination.block)].variable != kNoVariable) return;
      bytes_in_[static_cast<std::uint32_t>(destination.block)][from] += bytes;
    });
  });
}

VariableId BufferContents::variableIn(BlockId buffer) const {
  const auto found = bytes_in_.find(static_cast<std::uint32_t>(buffer));
  if (found == bytes_in_.end()) return kNoVariable;
  return std::max_element(found->second.begin(), found->second.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace ipusim::run
