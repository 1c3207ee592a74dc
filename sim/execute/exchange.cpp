// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/exchange.h"

#include <cstring>
#include <unordered_map>

#include "ipusim/error.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::BlockOffsets;
using compiler::Destination;
using compiler::Message;
using compiler::MessageForm;
using compiler::Messages;
using compiler::Step;

namespace {

/// Calls `unit(from, to)` with the byte offsets of every unit of a message at both ends. Begins at
/// level `level` of the walk and goes inward.
template <typename Unit>
void forEachUnit(const MessageForm& form, std::size_t level, std::uint64_t from, std::uint64_t to,
                 const Unit& unit) {
  const auto& levels = form.levels;
  if (level == levels.size()) {
    unit(from, to);
    return;
  }
  const auto& [count, stride] = levels[level];
  const bool innermost = level + 1 == levels.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (innermost) {
      unit(from, to);
    } else {
      forEachUnit(form, level + 1, from, to, unit);
    }
    from += stride.from.value();
    to += stride.to.value();
  }
}

using SentBytes = std::unordered_map<BlockId, std::vector<bool>>;

/// The bytes that are sent from blocks in which messages also land.
SentBytes sentWhereLanded(const Step& step, const std::vector<Block>& blocks) {
  std::vector<bool> landed(blocks.size(), false);
  const Messages& messages = step.messages;
  messages.forEach([&](const Message& message) {
    messages.forEachDestination(message, [&](const Destination& destination) {
      landed[indexOf(destination.block)] = true;
    });
  });
  SentBytes sent;
  messages.forEach([&](const Message& message) {
    if (!landed[indexOf(message.from)]) return;
    const MessageForm& form = messages.formOf(message);
    std::vector<bool>& bytes = sent[message.from];
    bytes.resize(blocks[indexOf(message.from)].bytes.value(), false);
    forEachUnit(form, 0, message.begin.from.value(), 0, [&](std::uint64_t from, std::uint64_t) {
      for (std::uint64_t b = 0; b < form.unit.value(); ++b) bytes[from + b] = true;
    });
  });
  return sent;
}

void verifyDestination(const MessageForm& form, const Destination& destination,
                       const SentBytes& sent, const Step& step) {
  const auto found = sent.find(destination.block);
  if (found == sent.end()) return;
  forEachUnit(form, 0, 0, destination.offset.value(), [&](std::uint64_t, std::uint64_t to) {
    for (std::uint64_t b = 0; b < form.unit.value(); ++b) {
      if (found->second[to + b]) {
        throw InternalError(step.name + ": a message lands on what another one sends");
      }
    }
  });
}

void verifyEnds(const Message& message, const Step& step, const std::vector<Block>& blocks) {
  const MessageForm& form = step.messages.formOf(message);
  BlockOffsets span{form.unit, form.unit};
  for (const auto& level : form.levels) span += level.stride * (level.count - 1);
  if (message.begin.from + span.from > blocks.at(indexOf(message.from)).bytes) {
    throw InternalError(step.name + ": a message sends more than its block");
  }
  step.messages.forEachDestination(message, [&](const Destination& destination) {
    if (destination.offset + span.to > blocks.at(indexOf(destination.block)).bytes) {
      throw InternalError(step.name + ": a message lands past its block");
    }
  });
}

/// Copies the units of a message. `Unit` is the size of a unit; 0 stands for any size.
template <std::size_t Unit>
void copyUnits(const MessageForm& form, const std::byte* from, std::byte* to) {
  const std::size_t bytes = Unit == 0 ? form.unit.value() : Unit;
  forEachUnit(form, 0, 0, 0, [=](std::uint64_t from_offset, std::uint64_t to_offset) {
    std::memcpy(to + to_offset, from + from_offset, bytes);
  });
}

void copyUnitsOf(const MessageForm& form, const std::byte* from, std::byte* to) {
  switch (form.unit.value()) {
    case sizeof(std::uint16_t):
      return copyUnits<sizeof(std::uint16_t)>(form, from, to);
    case sizeof(std::uint32_t):
      return copyUnits<sizeof(std::uint32_t)>(form, from, to);
    case sizeof(std::uint64_t):
      return copyUnits<sizeof(std::uint64_t)>(form, from, to);
    default:
      return copyUnits<0>(form, from, to);
  }
}

}  // namespace

void verifyExchange(const Step& step, const std::vector<Block>& blocks) {
  const Messages& messages = step.messages;
  messages.forEach([&](const Message& message) { verifyEnds(message, step, blocks); });
  const SentBytes sent = sentWhereLanded(step, blocks);
  if (sent.empty()) return;
  messages.forEach([&](const Message& message) {
    messages.forEachDestination(message, [&](const Destination& destination) {
      verifyDestination(messages.formOf(message), destination, sent, step);
    });
  });
}

void moveMessage(const Delivery& delivery, const std::vector<Block>& blocks,
                 TileMemories& memories) {
  const auto& [form, from_block, begin, destination] = delivery;
  copyUnitsOf(form, memories.at(blocks[indexOf(from_block)]) + begin.value(),
              memories.at(blocks[indexOf(destination.block)]) + destination.offset.value());
  ByteOwners* owners = memories.owners();
  if (owners == nullptr) return;
  const BlockId sender = from_block;
  const BlockId receiver = destination.block;
  const Bytes unit = form.unit;
  forEachUnit(form, 0, begin.value(), destination.offset.value(),
              [&](std::uint64_t from, std::uint64_t to) {
                owners->copy(sender, Bytes(from), {receiver, Bytes(to), unit});
              });
}

}  // namespace ipusim::executor
