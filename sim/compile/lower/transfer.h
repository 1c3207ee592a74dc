// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/compile/lower/hash_index.h"
#include "sim/compile/lower/join_messages.h"
#include "sim/compile/lower/placement.h"

namespace ipusim::compiler {

/// A move between two blocks: a walk over the elements of both blocks. An element has `element`
/// bytes.
struct BlockMove {
  BlockId from;
  BlockId to;
  Bytes element;
  Walk<BlockOffsets> walk;
};

/// Messages that are gathered for one exchange. Equal forms are kept once.
class MessageList {
 public:
  /// The number of the form.
  std::uint32_t formOf(MessageForm form);

  Messages messages;

 private:
  HashIndex form_index_;
};

/// Gathers what has to move between two compute steps and turns it into steps. A move within a tile
/// becomes a copy vertex, and a move between tiles becomes a message. Equal data for several tiles
/// becomes one message. Equal data for several tiles of another IPU goes there once, and is then
/// spread on its chip. lower() says what else becomes of a move between IPUs.
class Transfer {
 public:
  /// `placement` gets the buffers that moves between IPUs need.
  explicit Transfer(Placement& placement) : placement_(placement) {}

  void add(const BlockMove& move);
  /// The number of the form of a message with that walk. An element has `element` bytes.
  std::uint32_t formOf(const Walk<BlockOffsets>& walk, Bytes element);
  /// Adds a message to one receiver, and returns its number among those inside the IPUs, or among
  /// those between them. Its form is that of formOf().
  std::uint64_t send(const Message& message);
  /// The number of a list of receivers.
  std::uint32_t addList(const Destinations& destinations) {
    return on_ipu_.messages.addList(destinations);
  }
  /// Joins all messages that send equal data. Each of `shared` gets its receivers. Returns false,
  /// and does nothing, where one of `shared` sends what another message sends.
  [[nodiscard]] bool join(std::vector<SharedMessage> shared);
  /// Adds one message per part of a view. Each message brings its part, packed, to all
  /// `destinations`.
  void addMulticast(const std::vector<ViewPart>& parts, const Destinations& destinations);

  /// The steps in the order copies, sync, exchange. Behind them come those of a global exchange:
  /// sync, global exchange, copies, sync, exchange. `name` begins their names. The transfer is
  /// empty afterwards.
  std::vector<Step> take(const std::string& name);

 private:
  void addMulticastOnIpu(const std::vector<ViewPart>& parts, const Destinations& destinations);
  /// Sends everything that is for other IPUs: to one tile of each, which sends it on.
  void sendToOtherIpus();
  void relay(const Message& message, const MessageForm& form, const Destinations& destinations);
  void relayOnce(Message message, const MessageForm& form, const Destinations& destinations);
  void sendToOtherIpu(const Message& message, const MessageForm& form);

  Placement& placement_;
  MessageList on_ipu_;    ///< before the global exchange
  MessageList crossing_;  ///< to other IPUs, before equal data are found
  MessageList global_;    ///< every message is one run of consecutive bytes
  MessageList after_;     ///< from the tile where the data landed to others of its IPU
  bool has_unicasts_ = false;
  bool has_multicasts_ = false;
  bool is_joined_ = false;
  std::vector<BlockMove> local_;
  std::vector<BlockMove> unpacked_;  ///< from landing buffers
  /// One entry per tile: how often relay() sends the data to that tile. All are zero between calls.
  std::vector<std::uint32_t> times_;
  std::size_t relays_ = 0;  ///< messages that were relayed
};

}  // namespace ipusim::compiler
