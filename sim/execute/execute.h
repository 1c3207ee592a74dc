// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sim/execute/remote_rows.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

/// Called after each iteration of an outermost loop. The memories may be looked at during the call.
/// False ends the run.
using AfterRound = std::function<bool()>;

struct ExecuteOptions {
  /// Threads that share the tiles. The number of threads does not change the bytes that the
  /// memories end with.
  std::uint64_t jobs = 1;
  AfterRound after_round = {};
  /// What the remote buffers hold before the run and after it. Null: nothing before, and the run
  /// drops what it stores.
  RemoteRows* rows = nullptr;
};

/// Runs the program with numbers, in program order: every vertex computes on the bytes of its tile,
/// every message moves bytes from tile to tile, and the body of a Repeat runs as often as the
/// Repeat says. Blocks that always live must hold the input before the run, and hold the results
/// after it.
///
/// Throws InternalError where a step uses a block outside its live range, and where an edge or a
/// message leaves its block. A strict run also throws it where a vertex reads bytes that another
/// block has written over.
void execute(const compiler::Executable& executable, TileMemories& memories,
             const ExecuteOptions& options = {});

}  // namespace ipusim::executor
