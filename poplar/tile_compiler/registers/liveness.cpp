// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/registers/liveness.h"

#include <algorithm>
#include <map>

namespace ipusim::tile_compiler {

std::vector<Word> wordsOf(const MachineFunction& function, const RegisterPart& part) {
  if (part.id == kZero) return {};
  if (part.word != RegisterPart::kWhole) return {wordOf(part.id, part.word)};
  if (function.registers[part.id].words == 1) return {wordOf(part.id, 0)};
  return {wordOf(part.id, 0), wordOf(part.id, 1)};
}

namespace {

std::vector<Word> wordsOf(const MachineFunction& function, const std::vector<RegisterPart>& parts,
                          const std::vector<FixedRegisterPart>& fixed) {
  std::vector<Word> words;
  const auto add = [&](const RegisterPart& part) {
    for (const Word word : wordsOf(function, part)) words.push_back(word);
  };
  for (const RegisterPart& part : parts) add(part);
  for (const FixedRegisterPart& place : fixed) add(place.part);
  return words;
}

}  // namespace

std::vector<Word> readWords(const MachineFunction& function, const Instruction& instruction) {
  return wordsOf(function, instruction.reads, instruction.fixed_reads);
}

std::vector<Word> writtenWords(const MachineFunction& function, const Instruction& instruction) {
  return wordsOf(function, instruction.writes, instruction.fixed_writes);
}

namespace {

/// The words alive at the start of a block, from those at its end.
std::set<Word> aliveBefore(const MachineFunction& function, const MachineBlock& block,
                           std::set<Word> words) {
  for (std::size_t n = block.instructions.size(); n-- > 0;) {
    for (const Word word : writtenWords(function, block.instructions[n])) words.erase(word);
    for (const Word word : readWords(function, block.instructions[n])) words.insert(word);
  }
  return words;
}

/// Adds the segments of one block, whose first instruction is number `begin` of the function.
void addSegments(const MachineFunction& function, const MachineBlock& block, std::uint64_t begin,
                 const std::set<Word>& out, Intervals& intervals) {
  const std::uint64_t end = begin + block.instructions.size();
  std::map<Word, std::uint64_t> until;
  for (const Word word : out) until[word] = 2 * end;
  for (std::uint64_t i = end; i-- > begin;) {
    for (const Word word : writtenWords(function, block.instructions[i - begin])) {
      const auto found = until.find(word);
      // A result that nobody reads still needs its register for a moment.
      const std::uint64_t last = found == until.end() ? 2 * i + 2 : found->second;
      intervals.words[word].push_back({2 * i + 1, last});
      if (found != until.end()) until.erase(found);
    }
    for (const Word word : readWords(function, block.instructions[i - begin])) {
      until.try_emplace(word, 2 * i);
    }
  }
  for (const auto& [word, last] : until) intervals.words[word].push_back({2 * begin, last});
}

bool startsEarlier(const Segment& a, const Segment& b) {
  return a.begin < b.begin;
}

}  // namespace

Liveness livenessOf(const MachineFunction& function) {
  const std::size_t blocks = function.blocks.size();
  Liveness live{std::vector<std::set<Word>>(blocks), std::vector<std::set<Word>>(blocks)};
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t n = blocks; n-- > 0;) {
      std::set<Word>& out = live.out[n];
      for (const std::size_t next : function.blocks[n].successors) {
        out.insert(live.in[next].begin(), live.in[next].end());
      }
      std::set<Word> in = aliveBefore(function, function.blocks[n], out);
      changed = changed || in != live.in[n];
      live.in[n] = std::move(in);
    }
  }
  return live;
}

Intervals intervalsOf(const MachineFunction& function) {
  const Liveness live = livenessOf(function);
  Intervals intervals;
  intervals.words.resize(2 * function.registers.size());
  std::uint64_t begin = 0;
  for (std::size_t n = 0; n < function.blocks.size(); ++n) {
    addSegments(function, function.blocks[n], begin, live.out[n], intervals);
    begin += function.blocks[n].instructions.size();
  }
  for (auto& segments : intervals.words) {
    std::sort(segments.begin(), segments.end(), startsEarlier);
  }
  return intervals;
}

bool overlap(const std::vector<Segment>& a, const std::vector<Segment>& b) {
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() && right != b.end()) {
    if (left->begin < right->end && right->begin < left->end) return true;
    if (left->end < right->end) {
      ++left;
    } else {
      ++right;
    }
  }
  return false;
}

void unite(std::vector<Segment>& to, const std::vector<Segment>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::sort(to.begin(), to.end(), startsEarlier);
}

}  // namespace ipusim::tile_compiler
