// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// Throws InternalError, naming the step, where a message of the Exchange `step` leaves a block at
/// either end, or lands on bytes that a message of the same step sends: all are on their way at
/// once.
void verifyExchange(const compiler::Step& step, const std::vector<compiler::Block>& blocks);

/// Moves a message of a verified Exchange to where one of its receivers has it land.
void moveMessage(const compiler::Message& message, const compiler::Landing& landing,
                 const std::vector<compiler::Block>& blocks, TileMemories& memories);

}  // namespace ipusim::checker
