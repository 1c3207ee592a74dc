// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

/// Throws InternalError, which names the step, where a message of the Exchange `step` leaves a
/// block at either end. Does so too where a message lands on bytes that the step also sends,
/// because all messages are on their way at once.
void verifyExchange(const compiler::Step& step, const std::vector<compiler::Block>& blocks);

/// A message on its way to one of its receivers.
struct Delivery {
  const compiler::MessageForm& form;
  BlockId from;
  Bytes begin;  ///< in the block that it comes from
  compiler::Destination to;
};

/// Moves a message of a verified Exchange.
void moveMessage(const Delivery& delivery, const std::vector<compiler::Block>& blocks,
                 TileMemories& memories);

}  // namespace ipusim::executor
