// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "poplar/tile_compiler/instruction.h"

namespace ipusim::tile_compiler {

/// One 32-bit word of a virtual register, as a number.
using Word = std::uint32_t;
inline Word wordOf(RegisterId id, unsigned word) {
  return 2 * id + word;
}
/// The words of a part. The zero register has none.
std::vector<Word> wordsOf(const MachineFunction& function, const RegisterPart& part);
/// All words that an instruction reads or writes, fixed places included.
std::vector<Word> readWords(const MachineFunction& function, const Instruction& instruction);
std::vector<Word> writtenWords(const MachineFunction& function, const Instruction& instruction);

/// The words that are live at the start and at the end of each block.
struct Liveness {
  std::vector<std::set<Word>> in;
  std::vector<std::set<Word>> out;
};
Liveness livenessOf(const MachineFunction& function);

/// A stretch of positions, its end excluded. Instruction n of the function reads at 2n and writes
/// at 2n + 1.
struct Segment {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Where each word is alive, as sorted segments.
struct Intervals {
  std::vector<std::vector<Segment>> words;
};
Intervals intervalsOf(const MachineFunction& function);

bool overlap(const std::vector<Segment>& a, const std::vector<Segment>& b);
/// Adds the segments of `more` to `to`, and keeps it sorted.
void unite(std::vector<Segment>& to, const std::vector<Segment>& more);

}  // namespace ipusim::tile_compiler
