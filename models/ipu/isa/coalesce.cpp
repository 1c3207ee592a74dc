// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/isa/coalesce.h"

#include <algorithm>
#include <utility>

#include "models/ipu/isa/liveness.h"

namespace ipusim::models::isa {
namespace {

bool isSame(const Part& a, const Part& b) {
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

class Coalescer {
 public:
  explicit Coalescer(MachineFunction& function)
      : function_(function),
        intervals_(intervalsOf(function)),
        merged_(function.registers.size()),
        writes_(2 * function.registers.size(), 0) {
    for (RegisterId id = 0; id < merged_.size(); ++id) merged_[id] = {id, Part::kWhole};
    for (const MachineBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) {
        for (const Word word : writtenWords(function, instruction)) ++writes_[word];
      }
    }
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      for (const Instruction& copy : block.instructions) {
        if (copy.copy) join(copy.writes[0], copy.reads[0]);
      }
    }
    for (MachineBlock& block : function_.blocks) rewrite(block);
  }

 private:
  [[nodiscard]] Part find(Part part) const {
    while (part.id != kZero && !isSame(merged_[part.id], {part.id, Part::kWhole})) {
      const Part next = merged_[part.id];
      part = {next.id,
              part.word == Part::kWhole || next.word != Part::kWhole ? next.word : part.word};
    }
    return part;
  }

  [[nodiscard]] bool isSingle(const Part& part) const {
    return part.word == Part::kWhole && function_.registers[part.id].words == 1;
  }
  [[nodiscard]] bool isWholePair(const Part& part) const {
    return part.word == Part::kWhole && function_.registers[part.id].words == 2;
  }

  /// True when the lives of two words are apart, or one is but another name of the other.
  [[nodiscard]] bool canShare(Word to, Word from) const {
    if (!overlap(intervals_.words[to], intervals_.words[from])) return true;
    return writes_[to] == 1 && writes_[from] == 1;
  }

  void join(const Part& write, const Part& read) {
    const Part to = find(write);
    const Part from = find(read);
    if (isSame(to, from) || to.id == kZero || from.id == kZero || to.id == from.id) return;
    if (function_.registers[to.id].lane != function_.registers[from.id].lane) return;
    const std::vector<Word> to_words = wordsOf(function_, to);
    const std::vector<Word> from_words = wordsOf(function_, from);
    if (to_words.size() != from_words.size()) return;
    for (std::size_t n = 0; n < to_words.size(); ++n) {
      if (!canShare(to_words[n], from_words[n])) return;
    }
    // A part of a pair keeps its place; the single register becomes that part.
    const bool keeps_from = isSingle(to) && !isSingle(from);
    if (!keeps_from && !isSingle(from) && !isWholePair(from)) return;
    const Part& kept = keeps_from ? from : to;
    const Part& gone = keeps_from ? to : from;
    merged_[gone.id] = kept;
    const auto& kept_words = keeps_from ? from_words : to_words;
    const auto& gone_words = keeps_from ? to_words : from_words;
    for (std::size_t n = 0; n < kept_words.size(); ++n) {
      unite(intervals_.words[kept_words[n]], intervals_.words[gone_words[n]]);
      writes_[kept_words[n]] += writes_[gone_words[n]];
      if (writes_[kept_words[n]] > 1) --writes_[kept_words[n]];  // the copy itself goes
    }
  }

  void rewrite(MachineBlock& block) {
    std::vector<Instruction> kept;
    for (Instruction& instruction : block.instructions) {
      for (Part& part : instruction.reads) part = find(part);
      for (Part& part : instruction.writes) part = find(part);
      for (FixedPart& fixed : instruction.fixed_reads) fixed.part = find(fixed.part);
      for (FixedPart& fixed : instruction.fixed_writes) fixed.part = find(fixed.part);
      if (instruction.copy && isSame(instruction.reads[0], instruction.writes[0])) continue;
      kept.push_back(std::move(instruction));
    }
    block.instructions = std::move(kept);
  }

  MachineFunction& function_;
  Intervals intervals_;
  std::vector<Part> merged_;
  std::vector<unsigned> writes_;
};

}  // namespace

void coalesceCopies(MachineFunction& function) {
  copyTiedOperands(function);
  Coalescer(function).run();
}

}  // namespace ipusim::models::isa
