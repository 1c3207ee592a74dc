// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/accesses.h"

#include <utility>

namespace ipusim::compiler {

namespace {

/// Bytes that the pointers of a field's pattern lead to. A field of several groups has one pattern
/// per group, in the order of the groups.
Bytes bytesBehind(const Field& field, const EdgePattern& pattern, std::size_t index) {
  const EdgeGroup& group = field.groups[index % field.groups.size()];
  return group.elements * sizeOf(field.type) * pattern.walk.elements();
}

class AccessFinder {
 public:
  AccessFinder(Lowered& lowered, HostCopies host_copies)
      : lowered_(lowered), host_copies_(host_copies), variables_(lowered.share_of.size()) {}

  std::vector<Accesses> run() {
    for (std::uint32_t p = 0; p < lowered_.positions.size(); ++p) {
      visit(lowered_.steps[indexOf(lowered_.positions[p])], p);
    }
    return std::move(variables_);
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
    if (host_copies_ == HostCopies::Counted) visit(step.host, position);
  }

  /// What a copy of several variables writes of each is not known.
  void visit(const HostCopy& copy, std::uint32_t position) {
    const bool reads = copy.direction == HostDirection::ToHost;
    const Bytes written = reads || copy.variables.size() > 1 ? Bytes(0) : copy.bytes;
    for (const VariableId variable : copy.variables) {
      add(variables_[indexOf(variable)], {position, reads, written});
    }
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
      messages.forEachDestination(message, [&](const Destination& destination) {
        touch(destination.block, {position, false, bytes});
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
    add(variables_[indexOf(block.variable)], access);
  }

  static void add(Accesses& accesses, const Access& access) {
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

  Lowered& lowered_;
  HostCopies host_copies_;
  std::vector<Accesses> variables_;
  Bits met_;      ///< buffers that have been touched
  Bits drained_;  ///< buffers whose last access was a read
};

}  // namespace

std::vector<Accesses> findAccesses(Lowered& lowered, HostCopies host_copies) {
  return AccessFinder(lowered, host_copies).run();
}

Bytes bytesOf(std::size_t variable, const Lowered& lowered) {
  Bytes bytes;
  for (const BlockId id : lowered.share_of[variable]) {
    if (id != kNoBlock) bytes += lowered.blocks[indexOf(id)].bytes;
  }
  return bytes;
}

}  // namespace ipusim::compiler
