// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

/// Throws InternalError, which names the step, where a message of the Exchange `step` leaves a
/// block at either end. Does so too where a message lands on bytes that the step also sends,
/// because all messages are on their way at once.
void verifyExchange(const compiler::Step& step, const std::vector<compiler::Block>& blocks);

/// Moves a message of a verified Exchange to one of its landings.
void moveMessage(const compiler::Message& message, const compiler::Landing& landing,
                 const std::vector<compiler::Block>& blocks, TileMemories& memories);

}  // namespace ipusim::checker
