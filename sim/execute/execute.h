// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// Called after each iteration of a loop that is in no other, when the memories may be looked at.
/// False ends the run there.
using AfterRound = std::function<bool()>;

struct ExecuteOptions {
  /// Threads that share out the tiles. The memories hold the same bytes after any number of them.
  std::uint64_t jobs = 1;
  AfterRound after_round = {};
};

/// Runs the program with numbers: every vertex computes on the bytes of its tile, every message
/// moves bytes from tile to tile, in program order, the body of a Repeat as often as it says. What
/// lives always must hold its input before, and holds the results after.
///
/// Throws InternalError where a step uses a block out of its live range, where an edge or a message
/// leaves its block and, in a strict run, where a vertex reads what another block has written over.
void execute(const compiler::Executable& executable, TileMemories& memories,
             const ExecuteOptions& options = {});

}  // namespace ipusim::checker
