// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/bundle.h"

#include <algorithm>

namespace ipusim::tile_compiler {
namespace {

using Kind = Instruction::Kind;

bool mayBeFirst(const Instruction& instruction) {
  return instruction.kind == Kind::Plain;
}

bool mayBeSecond(const Instruction& instruction) {
  return instruction.kind != Kind::Exit && instruction.kind != Kind::Repeat;
}

bool writesFor(const Instruction& first, const Instruction& second) {
  const auto touched = [&](PhysicalId place) {
    const auto has = [&](const std::vector<PhysicalId>& places) {
      return std::find(places.begin(), places.end(), place) != places.end();
    };
    return has(second.physical_reads) || has(second.physical_writes);
  };
  return std::any_of(first.physical_writes.begin(), first.physical_writes.end(), touched);
}

bool pair(const Instruction& first, const Instruction& second) {
  return mayBeFirst(first) && mayBeSecond(second) && first.lane != second.lane &&
         !writesFor(first, second);
}

}  // namespace

std::vector<Issue> bundle(const MachineBlock& block, const TileCompiler& compiler) {
  std::vector<Issue> issues;
  const auto& instructions = block.instructions;
  for (std::size_t n = 0; n < instructions.size(); ++n) {
    const Instruction& first = instructions[n];
    Issue issue{first.lane == Lane::Main ? 'M' : 'A', first.slots, first.line};
    const bool has_filler = block.repeat || first.kind == Kind::Repeat;
    if (compiler.co_issue == CoIssue::Pairs && n + 1 < instructions.size() &&
        pair(first, instructions[n + 1])) {
      issue.letter = 'B';
      issue.slots = std::max(first.slots, instructions[n + 1].slots);
      ++n;
    } else if (has_filler) {
      issue.letter = 'B';
    }
    issues.push_back(issue);
  }
  return issues;
}

}  // namespace ipusim::tile_compiler
