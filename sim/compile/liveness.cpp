// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/liveness.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::compiler {

namespace {

/// What one step does with one variable or buffer.
struct Access {
  std::uint32_t position;
  bool reads;
  Bytes written;
};

/// Bytes that the pointers of a field's pattern lead to. A field of several groups has one pattern
/// per group, in the order of the groups.
Bytes bytesBehind(const Field& field, const EdgePattern& pattern, std::size_t index) {
  const EdgeGroup& group = field.groups[index % field.groups.size()];
  return group.elements * sizeOf(field.type) * pattern.walk.elements();
}

class Liveness {
 public:
  Liveness(const std::vector<FlowRange>& ranges, Lowered& lowered)
      : ranges_(ranges),
        lowered_(lowered),
        variables_(lowered.share_of.size()),
        is_optional_(lowered.positions.size(), false) {
    for (const FlowRange& range : ranges_) {
      for (std::uint32_t p = range.first; range.is_optional && p <= range.last; ++p) {
        is_optional_[p] = true;
      }
    }
  }

  void run() {
    for (std::uint32_t p = 0; p < lowered_.positions.size(); ++p) {
      visit(lowered_.steps[indexOf(lowered_.positions[p])], p);
    }
    for (std::size_t v = 0; v < variables_.size(); ++v) setRange(v);
  }

 private:
  void visit(const Step& step, std::uint32_t position) {
    for (const BoundFamily& family : step.families) {
      const auto& fields = family.type->fields;
      const BoundFields::List bound = family.fields.list();
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const bool reads = fields[f].direction != FieldDirection::Output;
        const bool writes = fields[f].direction != FieldDirection::Input;
        const auto& patterns = bound[f].patterns;
        for (std::size_t p = 0; p < patterns.size(); ++p) {
          const Bytes written = writes ? bytesBehind(fields[f], patterns[p], p) : Bytes(0);
          touch(patterns[p].block, {position, reads, written});
        }
      }
    }
    for (const MessageRun& run : step.messages.runs()) visit(step.messages, run, position);
    visit(step.remote, position);
  }

  void visit(const RowCopy& copy, std::uint32_t position) {
    const bool loads = copy.direction == RemoteDirection::Load;
    for (const RowPart& part : copy.parts) {
      touch(part.block, {position, !loads, loads ? copy.bytesOf(part) : Bytes(0)});
    }
    if (copy.row_block != kNoBlock) touch(copy.row_block, {position, true, Bytes(0)});
  }

  void visit(const Messages& messages, const MessageRun& run, std::uint32_t position) {
    const Message first = run.front();
    const Message last = run.back();
    const Bytes bytes = messages.formOf(first).bytes();
    if (run.count() > 1 && areOfOneVariable(first.from, last.from) &&
        areOfOneVariable(first.to, last.to)) {
      touch(first.from, {position, true, Bytes(0)});
      touch(first.to, {position, false, run.count() * bytes});
      return;
    }
    run.forEach([&](const Message& message) {
      touch(message.from, {position, true, Bytes(0)});
      messages.forEachLanding(message, [&](const Landing& landing) {
        touch(landing.block, {position, false, bytes});
      });
    });
  }

  /// Whether the two blocks, and so all with numbers between, are shares of one variable: shares of
  /// a variable are numbered one after the other.
  [[nodiscard]] bool areOfOneVariable(BlockId a, BlockId b) const {
    const VariableId variable = lowered_.blocks[indexOf(a)].variable;
    return variable != kNoVariable && lowered_.blocks[indexOf(b)].variable == variable;
  }

  void touch(BlockId id, const Access& access) {
    Block& block = lowered_.blocks[indexOf(id)];
    if (block.variable == kNoVariable) {
      touchBuffer(id, block, access);
      return;
    }
    std::vector<Access>& accesses = variables_[indexOf(block.variable)];
    if (accesses.empty() || accesses.back().position != access.position) {
      accesses.push_back(access);
      return;
    }
    accesses.back().reads |= access.reads;
    accesses.back().written += access.written;
  }

  /// A buffer is filled in one or more steps and then read. A buffer that is filled again begins a
  /// new range.
  void touchBuffer(BlockId id, Block& block, const Access& access) {
    const bool again =
        !access.reads && drained_.test(id) && block.live.back().last < access.position;
    if (!met_.test(id)) {
      block.live = {{access.position, access.position}};
    } else if (again) {
      block.live.push_back({access.position, access.position});
    }
    block.live.back().last = access.position;
    met_.set(id, true);
    drained_.set(id, access.reads);
  }

  [[nodiscard]] Bytes bytesOf(std::size_t variable) const {
    Bytes bytes;
    for (const BlockId id : lowered_.share_of[variable]) {
      if (id != kNoBlock) bytes += lowered_.blocks[indexOf(id)].bytes;
    }
    return bytes;
  }

  /// Makes one range per value: a range ends where the next step that writes the whole variable
  /// begins another. A loop must keep the variable throughout when the first access in the loop is
  /// no full write. A step that may not run at all writes nothing for sure.
  void setRange(std::size_t variable) {
    const std::vector<Access>& accesses = variables_[variable];
    if (accesses.empty()) return;
    const Bytes bytes = bytesOf(variable);
    const auto fills = [this, bytes](const Access& access) {
      return !access.reads && access.written >= bytes && !is_optional_[access.position];
    };
    LiveRanges ranges;
    for (const Access& access : accesses) {
      if (ranges.empty() || fills(access)) ranges.push_back({access.position, access.position});
      ranges.back().last = access.position;
    }
    for (const FlowRange& loop : ranges_) {
      if (!loop.repeats) continue;
      const auto first =
          std::find_if(accesses.begin(), accesses.end(),
                       [&loop](const Access& access) { return access.position >= loop.first; });
      if (first == accesses.end() || first->position > loop.last || fills(*first)) continue;
      keepThrough({loop.first, loop.last}, ranges);
    }
    for (const BlockId id : lowered_.share_of[variable]) {
      if (id != kNoBlock) lowered_.blocks[indexOf(id)].live = ranges;
    }
  }

  /// Joins the loop, and all ranges that overlap it, to one range.
  static void keepThrough(const LiveRange& loop, LiveRanges& ranges) {
    LiveRanges kept;
    LiveRange joined = loop;
    for (const LiveRange& range : ranges) {
      if (range.last < loop.first || range.first > loop.last) continue;
      joined.first = std::min(joined.first, range.first);
      joined.last = std::max(joined.last, range.last);
    }
    bool placed = false;
    for (const LiveRange& range : ranges) {
      if (range.last < joined.first) {
        kept.push_back(range);
        continue;
      }
      if (!placed) kept.push_back(joined);
      placed = true;
      if (range.first > joined.last) kept.push_back(range);
    }
    ranges = std::move(kept);
  }

  /// One bit per block.
  class Bits {
   public:
    [[nodiscard]] bool test(BlockId id) const {
      return indexOf(id) < bits_.size() && bits_[indexOf(id)];
    }
    void set(BlockId id, bool value) {
      if (indexOf(id) >= bits_.size()) bits_.resize(indexOf(id) + 1, false);
      bits_[indexOf(id)] = value;
    }

   private:
    std::vector<bool> bits_;
  };

  const std::vector<FlowRange>& ranges_;
  Lowered& lowered_;
  std::vector<std::vector<Access>> variables_;
  std::vector<bool> is_optional_;  ///< one entry per position: its step may not run at all
  Bits met_;                       ///< buffers that have been touched
  Bits drained_;                   ///< buffers whose last access was a read
};

}  // namespace

void setLiveRanges(FlowPositions positions, Lowered& lowered) {
  lowered.positions = std::move(positions.steps);
  Liveness(positions.ranges, lowered).run();
}

}  // namespace ipusim::compiler
