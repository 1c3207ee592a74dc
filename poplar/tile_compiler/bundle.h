// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "poplar/tile_compiler/instruction.h"
#include "poplar/tile_compiler/tile_compiler.h"

namespace ipusim::tile_compiler {

/// One issue of a worker: one instruction, or one on each lane.
struct Issue {
  char letter = 'M';       ///< M or A alone, B for both
  unsigned slots = 1;      ///< how long the worker is held
  std::uint32_t line = 0;  ///< of the first instruction
};

/// The issues of a block, in order. Two neighbours share a slot when their lanes differ, the first
/// is no branch or call, and the second neither reads nor writes a register that the first writes;
/// from left to right, with no look ahead. In the body of an rpt a lone instruction gets a filler.
/// Source: [B], the co-issue pass; [T] coissue.ll (machine_facts.h).
std::vector<Issue> bundle(const MachineBlock& block, const TileCompiler& compiler);

}  // namespace ipusim::tile_compiler
