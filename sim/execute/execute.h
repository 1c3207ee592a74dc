// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// Runs the program with numbers: every vertex computes on the bytes of its tile, every message
/// moves bytes from tile to tile, in program order, the body of a Repeat as often as it says. A
/// block's bytes are poison before and after its live range. What lives always must hold its input
/// before, and holds the results after.
void execute(const compiler::Executable& executable, TileMemories& memories);

/// Called after each iteration of a loop that is in no other. False ends the run there.
using AfterRound = std::function<bool()>;

/// Runs it, and calls `after_round` between rounds, when the memories may be looked at.
void execute(const compiler::Executable& executable, TileMemories& memories,
             const AfterRound& after_round);

}  // namespace ipusim::checker
