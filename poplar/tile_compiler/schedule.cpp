// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/schedule.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "poplar/tile_compiler/dependences.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

using Pressure = std::array<int, 2>;  // words of the main and of the aux file

constexpr Pressure kLimits = {static_cast<int>(kMainGeneral), static_cast<int>(kAuxGeneral)};

std::size_t laneIndex(Lane lane) {
  return lane == Lane::Main ? 0 : 1;
}

/// Counts the registers that are alive while instructions are put in order.
class PressureCounter {
 public:
  PressureCounter(const MachineFunction& function, std::set<Word> live, const std::set<Word>& out)
      : function_(function), live_(std::move(live)), out_(out) {
    for (const Word word : live_) ++now_[laneOfWord(word)];
    most_ = now_;
  }

  void addReader(const Instruction& instruction) {
    for (const Word word : distinctReads(instruction)) ++readers_[word];
  }

  /// What the pressure becomes with the instruction next.
  [[nodiscard]] Pressure after(const Instruction& instruction) const {
    Pressure pressure = now_;
    for (const Word word : dying(instruction)) --pressure[laneOfWord(word)];
    for (const Word word : writtenWords(function_, instruction)) {
      if (live_.count(word) == 0 || isDying(instruction, word)) ++pressure[laneOfWord(word)];
    }
    return pressure;
  }

  void take(const Instruction& instruction) {
    now_ = after(instruction);
    for (const Word word : dying(instruction)) live_.erase(word);
    for (const Word word : distinctReads(instruction)) --readers_[word];
    for (const Word word : writtenWords(function_, instruction)) live_.insert(word);
    for (std::size_t lane = 0; lane < now_.size(); ++lane) {
      most_[lane] = std::max(most_[lane], now_[lane]);
    }
  }

  [[nodiscard]] const Pressure& now() const { return now_; }
  [[nodiscard]] const Pressure& most() const { return most_; }

 private:
  [[nodiscard]] std::size_t laneOfWord(Word word) const {
    return laneIndex(function_.registers[word / 2].lane);
  }
  [[nodiscard]] std::set<Word> distinctReads(const Instruction& instruction) const {
    const std::vector<Word> words = readWords(function_, instruction);
    return {words.begin(), words.end()};
  }
  [[nodiscard]] bool isDying(const Instruction& instruction, Word word) const {
    const std::set<Word> words = dying(instruction);
    return words.count(word) != 0;
  }
  [[nodiscard]] std::set<Word> dying(const Instruction& instruction) const {
    std::set<Word> words;
    for (const Word word : distinctReads(instruction)) {
      const auto readers = readers_.find(word);
      const bool is_last = readers == readers_.end() || readers->second <= 1;
      if (is_last && out_.count(word) == 0 && live_.count(word) != 0) words.insert(word);
    }
    return words;
  }

  const MachineFunction& function_;
  std::set<Word> live_;
  const std::set<Word>& out_;
  std::map<Word, unsigned> readers_;
  Pressure now_ = {0, 0};
  Pressure most_ = {0, 0};
};

/// The instructions [begin, end) of a block, and what is alive before and behind them.
struct InstructionRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  const std::set<Word>& live;
  const std::set<Word>& out;
};

/// Puts a range in order.
class Region {
 public:
  Region(const MachineFunction& function, const MachineBlock& block, const InstructionRange& range)
      : block_(block),
        begin_(range.begin),
        graph_(dependencesOf(function, block, range.begin, range.end)),
        pressure_(function, range.live, range.out),
        ready_(range.end - range.begin, 0) {
    const std::size_t begin = range.begin;
    const std::size_t end = range.end;
    PressureCounter source_order(function, range.live, range.out);
    for (std::size_t n = begin; n < end; ++n) {
      pressure_.addReader(block.instructions[n]);
      source_order.addReader(block.instructions[n]);
    }
    for (std::size_t n = begin; n < end; ++n) source_order.take(block.instructions[n]);
    block_most_ = source_order.most();
    counts_registers_ = end - begin > kSmallBlock;
    for (std::size_t n = 0; n < end - begin; ++n) {
      if (graph_.predecessors[n] == 0) waiting_.insert(n);
    }
  }

  std::vector<std::size_t> order() {
    std::vector<std::size_t> chosen;
    for (unsigned cycle = 0; !waiting_.empty(); ++cycle) {
      std::array<bool, 2> is_free = {true, true};
      while (const auto next = best(cycle, is_free)) {
        is_free[laneIndex(at(*next).lane)] = false;
        take(*next, cycle);
        chosen.push_back(begin_ + *next);
      }
    }
    return chosen;
  }

 private:
  [[nodiscard]] const Instruction& at(std::size_t n) const {
    return block_.instructions[begin_ + n];
  }

  using Rank = std::tuple<int, int, int, int, std::size_t>;  // less is better

  [[nodiscard]] Rank rank(std::size_t n) const {
    int excess = 0;
    int critical = 0;
    int rise = 0;
    if (counts_registers_) {
      const Pressure after = pressure_.after(at(n));
      for (std::size_t lane = 0; lane < after.size(); ++lane) {
        const int before = std::max(0, pressure_.now()[lane] - kLimits[lane]);
        excess += std::max(0, after[lane] - kLimits[lane]) - before;
        if (block_most_[lane] > kLimits[lane]) {
          critical += std::max(0, after[lane] - block_most_[lane]);
        }
        rise += std::max(0, after[lane] - pressure_.most()[lane]);
      }
    }
    return {excess, critical, rise, -static_cast<int>(graph_.heights[n]), n};
  }

  std::optional<std::size_t> best(unsigned cycle, const std::array<bool, 2>& is_free) {
    std::optional<std::size_t> found;
    for (const std::size_t n : waiting_) {
      if (ready_[n] > cycle || !is_free[laneIndex(at(n).lane)]) continue;
      if (!found || rank(n) < rank(*found)) found = n;
    }
    return found;
  }

  void take(std::size_t n, unsigned cycle) {
    pressure_.take(at(n));
    waiting_.erase(n);
    for (const Edge& edge : graph_.successors[n]) {
      ready_[edge.to] = std::max(ready_[edge.to], cycle + edge.latency);
      if (--graph_.predecessors[edge.to] == 0) waiting_.insert(edge.to);
    }
  }

  const MachineBlock& block_;
  std::size_t begin_;
  Dependences graph_;
  PressureCounter pressure_;
  Pressure block_most_ = {0, 0};
  bool counts_registers_ = false;
  std::vector<unsigned> ready_;
  std::set<std::size_t> waiting_;
};

bool isFence(const Instruction& instruction) {
  return instruction.kind != Instruction::Kind::Plain;
}

/// The words that are alive at the start of the block, before and behind each fence, and at the
/// end, each at the place of the instruction that follows; nothing elsewhere.
std::vector<std::set<Word>> liveBefore(const MachineFunction& function, const MachineBlock& block,
                                       std::set<Word> words) {
  std::vector<std::set<Word>> before(block.instructions.size() + 1);
  before.back() = words;
  for (std::size_t n = block.instructions.size(); n-- > 0;) {
    for (const Word word : writtenWords(function, block.instructions[n])) words.erase(word);
    for (const Word word : readWords(function, block.instructions[n])) words.insert(word);
    const bool is_end = isFence(block.instructions[n]);
    if (n == 0 || is_end || isFence(block.instructions[n - 1])) before[n] = words;
  }
  return before;
}

void scheduleBlock(const MachineFunction& function, MachineBlock& block,
                   const std::set<Word>& out) {
  const std::vector<std::set<Word>> live = liveBefore(function, block, out);
  std::vector<Instruction> ordered;
  std::size_t begin = 0;
  for (std::size_t end = 0; end <= block.instructions.size(); ++end) {
    if (end < block.instructions.size() && !isFence(block.instructions[end])) continue;
    for (const std::size_t n :
         Region(function, block, {begin, end, live[begin], live[end]}).order()) {
      ordered.push_back(block.instructions[n]);
    }
    if (end < block.instructions.size()) ordered.push_back(block.instructions[end]);
    begin = end + 1;
    if (begin > block.instructions.size()) break;
  }
  block.instructions = std::move(ordered);
}

}  // namespace

void scheduleInstructions(MachineFunction& function) {
  const Liveness live = livenessOf(function);
  for (std::size_t n = 0; n < function.blocks.size(); ++n) {
    scheduleBlock(function, function.blocks[n], live.out[n]);
  }
}

}  // namespace ipusim::tile_compiler
