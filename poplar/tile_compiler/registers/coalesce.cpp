// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/registers/coalesce.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

bool isSame(const RegisterPart& a, const RegisterPart& b) {
  return a.id == b.id && a.word == b.word;
}

/// Gives each tied instruction a copy of its operand, which it then changes in place.
void copyTiedOperands(MachineFunction& function) {
  for (MachineBlock& block : function.blocks) {
    for (std::size_t n = 0; n < block.instructions.size(); ++n) {
      const Instruction& tied = block.instructions[n];
      if (!tied.tied || isSame(tied.reads[0], tied.writes[0])) continue;
      Instruction copy;
      copy.lane = function.registers[tied.writes[0].id].lane;
      copy.name = "mov";
      copy.copy = tied.reads[0].id != kZero;
      copy.reads = {tied.reads[0]};
      copy.writes = {tied.writes[0]};
      copy.line = tied.line;
      block.instructions[n].reads[0] = tied.writes[0];
      block.instructions.insert(block.instructions.begin() + static_cast<std::ptrdiff_t>(n),
                                std::move(copy));
      ++n;
    }
  }
}

/// A write to a word, and the word that it copies, if it is a copy.
struct Write {
  std::uint64_t position = 0;
  std::optional<Word> copied;
};

class Coalescer {
 public:
  explicit Coalescer(MachineFunction& function)
      : function_(function),
        intervals_(intervalsOf(function)),
        merged_(function.registers.size()),
        writes_(2 * function.registers.size()) {
    for (RegisterId id = 0; id < merged_.size(); ++id) merged_[id] = {id, RegisterPart::kWhole};
    std::uint64_t position = 0;
    for (const MachineBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) {
        noteWrites(instruction, 2 * position++ + 1);
        if (instruction.copy) {
          copies_.push_back({instruction.writes[0], instruction.reads[0], block.loop_depth});
        }
      }
    }
  }

  void run() {
    // The copies of inner loops first, as LLVM's coalescer has it.
    std::stable_sort(copies_.begin(), copies_.end(),
                     [](const Copy& a, const Copy& b) { return a.loop_depth > b.loop_depth; });
    for (const Copy& copy : copies_) join(copy.write, copy.read);
    for (MachineBlock& block : function_.blocks) rewrite(block);
  }

 private:
  struct Copy {
    RegisterPart write;
    RegisterPart read;
    unsigned loop_depth = 0;
  };

  void noteWrites(const Instruction& instruction, std::uint64_t position) {
    const std::vector<Word> written = writtenWords(function_, instruction);
    const std::vector<Word> read = readWords(function_, instruction);
    for (std::size_t n = 0; n < written.size(); ++n) {
      const bool copies = instruction.copy && read.size() == written.size();
      writes_[written[n]].push_back(
          {position, copies ? std::optional<Word>(read[n]) : std::nullopt});
    }
  }

  [[nodiscard]] RegisterPart find(RegisterPart part) const {
    while (part.id != kZero && !isSame(merged_[part.id], {part.id, RegisterPart::kWhole})) {
      const RegisterPart next = merged_[part.id];
      part = {next.id, part.word == RegisterPart::kWhole || next.word != RegisterPart::kWhole
                           ? next.word
                           : part.word};
    }
    return part;
  }

  [[nodiscard]] Word findWord(Word word) const {
    const RegisterId id = word / 2;
    const bool is_pair = function_.registers[id].words == 2;
    const RegisterPart part =
        find({id, is_pair ? static_cast<std::uint8_t>(word % 2) : RegisterPart::kWhole});
    return wordOf(part.id, part.word == RegisterPart::kWhole ? 0 : part.word);
  }

  [[nodiscard]] bool isSingle(const RegisterPart& part) const {
    return part.word == RegisterPart::kWhole && function_.registers[part.id].words == 1;
  }
  [[nodiscard]] bool isWholePair(const RegisterPart& part) const {
    return part.word == RegisterPart::kWhole && function_.registers[part.id].words == 2;
  }

  /// True when no write to one word changes the other while that is alive. A copy from one to the
  /// other changes nothing.
  [[nodiscard]] bool survives(Word alive, Word written) const {
    const auto& segments = intervals_.words[alive];
    const auto harms = [&](const Write& write) {
      if (write.copied && findWord(*write.copied) == alive) return false;
      return std::any_of(segments.begin(), segments.end(), [&](const Segment& segment) {
        return segment.begin <= write.position && write.position < segment.end;
      });
    };
    return std::none_of(writes_[written].begin(), writes_[written].end(), harms);
  }

  void join(const RegisterPart& write, const RegisterPart& read) {
    const RegisterPart to = find(write);
    const RegisterPart from = find(read);
    if (isSame(to, from) || to.id == kZero || from.id == kZero || to.id == from.id) return;
    if (function_.registers[to.id].lane != function_.registers[from.id].lane) return;
    const std::vector<Word> to_words = wordsOf(function_, to);
    const std::vector<Word> from_words = wordsOf(function_, from);
    if (to_words.size() != from_words.size()) return;
    for (std::size_t n = 0; n < to_words.size(); ++n) {
      if (!survives(to_words[n], from_words[n]) || !survives(from_words[n], to_words[n])) return;
    }
    // A part of a pair keeps its place; the single register becomes that part.
    const bool keeps_from = isSingle(to) && !isSingle(from);
    if (!keeps_from && !isSingle(from) && !isWholePair(from)) return;
    merge(keeps_from ? to : from, keeps_from ? from : to);
  }

  void merge(const RegisterPart& gone, const RegisterPart& kept) {
    const std::vector<Word> gone_words = wordsOf(function_, gone);
    const std::vector<Word> kept_words = wordsOf(function_, kept);
    merged_[gone.id] = kept;
    for (std::size_t n = 0; n < kept_words.size(); ++n) {
      unite(intervals_.words[kept_words[n]], intervals_.words[gone_words[n]]);
      auto& writes = writes_[kept_words[n]];
      const auto& more = writes_[gone_words[n]];
      writes.insert(writes.end(), more.begin(), more.end());
      const auto is_gone = [&](const Write& write) {
        return write.copied && findWord(*write.copied) == kept_words[n];
      };
      writes.erase(std::remove_if(writes.begin(), writes.end(), is_gone), writes.end());
    }
  }

  void rewrite(MachineBlock& block) {
    std::vector<Instruction> kept;
    for (Instruction& instruction : block.instructions) {
      for (RegisterPart& part : instruction.reads) part = find(part);
      for (RegisterPart& part : instruction.writes) part = find(part);
      for (FixedRegisterPart& fixed : instruction.fixed_reads) fixed.part = find(fixed.part);
      for (FixedRegisterPart& fixed : instruction.fixed_writes) fixed.part = find(fixed.part);
      if (instruction.copy && isSame(instruction.reads[0], instruction.writes[0])) continue;
      kept.push_back(std::move(instruction));
    }
    block.instructions = std::move(kept);
  }

  MachineFunction& function_;
  Intervals intervals_;
  std::vector<RegisterPart> merged_;
  std::vector<std::vector<Write>> writes_;  // by word
  std::vector<Copy> copies_;
};

}  // namespace

void coalesceCopies(MachineFunction& function) {
  copyTiedOperands(function);
  Coalescer(function).run();
}

}  // namespace ipusim::tile_compiler
