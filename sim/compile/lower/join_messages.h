// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/lower/messages.h"

namespace ipusim::compiler {

/// A message whose receivers are known to be those of a list. So far it is to the first of them.
struct SharedMessage {
  std::uint64_t number;  ///< of the message among all messages
  std::uint32_t list;
  Bytes begin;  ///< what is added to the offsets of the list
};

/// Joins messages to one receiver that send equal data into one message to several. It takes the
/// place of the first of them, and its receivers keep their order. All of `messages` must have one
/// receiver, and forms with different numbers must differ.
///
/// Each of `shared` gets its receivers. Returns false, and leaves all messages as they are, where
/// one of `shared` sends what another message sends.
bool joinEqual(Messages& messages, std::vector<SharedMessage> shared);

}  // namespace ipusim::compiler
