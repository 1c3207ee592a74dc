// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/liveness.h"

#include <algorithm>

#include "sim/base/error.h"

namespace ipusim::compiler {

using workloads::FieldDirection;

namespace {

/// What one step does with one variable or buffer.
struct Access {
  std::uint32_t position;
  bool reads;
  std::uint64_t written_bytes;
};

/// Positions [first, last] of the body of a Repeat.
struct Loop {
  std::uint32_t first;
  std::uint32_t last;
};

void collectLoops(const std::vector<ControlNode>& nodes, std::uint32_t& position,
                  std::vector<Loop>& loops) {
  for (const ControlNode& node : nodes) {
    if (node.count == 0) {
      ++position;
      continue;
    }
    const std::uint32_t first = position;
    collectLoops(node.body, position, loops);
    loops.push_back({first, position - 1});  // inner loops come before the outer ones
  }
}

/// Bytes that the pointers of a field's pattern lead to. A field of several groups has a pattern
/// for each of them, in their order.
std::uint64_t bytesBehind(const workloads::Field& field, const EdgePattern& pattern,
                          std::size_t index) {
  const workloads::EdgeGroup& group = field.groups[index % field.groups.size()];
  std::uint64_t bytes = group.elements * sizeOf(field.type).value();
  for (const AddressDim& dim : pattern.dims) bytes *= dim.count;
  return bytes;
}

class Liveness {
 public:
  explicit Liveness(Executable& executable)
      : executable_(executable), variables_(executable.share_of.size()) {}

  void run() {
    for (std::uint32_t p = 0; p < executable_.positions.size(); ++p) {
      visit(executable_.steps[executable_.positions[p]], p);
    }
    std::uint32_t position = 0;
    std::vector<Loop> loops;
    collectLoops(executable_.control, position, loops);
    for (std::size_t v = 0; v < variables_.size(); ++v) setRange(v, loops);
  }

 private:
  void visit(const Step& step, std::uint32_t position) {
    for (const BoundFamily& family : step.families) {
      const auto& fields = family.codelet->fields();
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const bool reads = fields[f].direction != FieldDirection::Output;
        const bool writes = fields[f].direction != FieldDirection::Input;
        const auto& patterns = family.fields[f].patterns;
        for (std::size_t p = 0; p < patterns.size(); ++p) {
          const std::uint64_t written = writes ? bytesBehind(fields[f], patterns[p], p) : 0;
          touch(patterns[p].block, {position, reads, written});
        }
      }
    }
    for (const Message& message : step.messages) {
      std::uint64_t bytes = message.unit_bytes;
      for (const TransferDim& dim : message.dims) bytes *= dim.count;
      touch(message.from, {position, true, 0});
      for (const Landing& landing : step.receiver_lists[message.receivers]) {
        touch(landing.block, {position, false, bytes});
      }
    }
  }

  void touch(BlockId id, const Access& access) {
    Block& block = executable_.blocks[id];
    if (block.variable == kNoVariable) {
      if (!block.always_live && used_.insert(id)) block.live = {access.position, access.position};
      block.live.last = access.position;
      return;
    }
    std::vector<Access>& accesses = variables_[block.variable];
    if (accesses.empty() || accesses.back().position != access.position) {
      accesses.push_back(access);
      return;
    }
    accesses.back().reads |= access.reads;
    accesses.back().written_bytes += access.written_bytes;
  }

  /// The loop must keep the variable throughout when its first access there is no full write.
  void setRange(std::size_t variable, const std::vector<Loop>& loops) {
    const std::vector<Access>& accesses = variables_[variable];
    if (accesses.empty()) return;
    std::uint64_t bytes = 0;
    for (const BlockId id : executable_.share_of[variable]) {
      if (id != kNoBlock) bytes += executable_.blocks[id].bytes;
    }
    LiveRange range{accesses.front().position, accesses.back().position};
    for (const Loop& loop : loops) {
      const auto first =
          std::find_if(accesses.begin(), accesses.end(),
                       [&loop](const Access& access) { return access.position >= loop.first; });
      if (first == accesses.end() || first->position > loop.last) continue;
      if (!first->reads && first->written_bytes >= bytes) continue;
      range.first = std::min(range.first, loop.first);
      range.last = std::max(range.last, loop.last);
    }
    for (const BlockId id : executable_.share_of[variable]) {
      if (id != kNoBlock) executable_.blocks[id].live = range;
    }
  }

  /// Which buffers have been met.
  class Seen {
   public:
    bool insert(BlockId id) {
      if (id >= seen_.size()) seen_.resize(id + 1, false);
      if (seen_[id]) return false;
      seen_[id] = true;
      return true;
    }

   private:
    std::vector<bool> seen_;
  };

  Executable& executable_;
  std::vector<std::vector<Access>> variables_;
  Seen used_;
};

}  // namespace

std::vector<std::uint32_t> programOrder(const std::vector<ControlNode>& control) {
  std::vector<std::uint32_t> order;
  for (const ControlNode& node : control) {
    if (node.count == 0) {
      order.push_back(node.step);
      continue;
    }
    const std::vector<std::uint32_t> body = programOrder(node.body);
    order.insert(order.end(), body.begin(), body.end());
  }
  return order;
}

void setLiveRanges(Executable& executable) {
  Liveness(executable).run();
}

}  // namespace ipusim::compiler
