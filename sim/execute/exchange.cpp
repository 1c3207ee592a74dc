// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/exchange.h"

#include <cstring>
#include <unordered_map>

#include "ipusim/error.h"

namespace ipusim::checker {

using compiler::Block;
using compiler::BlockOffsets;
using compiler::Landing;
using compiler::Message;
using compiler::Step;

namespace {

/// Calls `unit(from, to)` with the byte offsets of every unit of `message` at both ends. Begins at
/// level `level` of the walk and goes inward.
template <typename Unit>
void forEachUnit(const Message& message, std::size_t level, std::uint64_t from, std::uint64_t to,
                 const Unit& unit) {
  const auto& levels = message.walk.levels;
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
      forEachUnit(message, level + 1, from, to, unit);
    }
    from += stride.from.value();
    to += stride.to.value();
  }
}

using SentBytes = std::unordered_map<BlockId, std::vector<bool>>;

/// The bytes that are sent from blocks in which messages also land.
SentBytes sentWhereLanded(const Step& step, const std::vector<Block>& blocks) {
  std::vector<bool> landed(blocks.size(), false);
  for (const auto& receivers : step.receiver_lists) {
    for (const Landing& landing : receivers) landed[indexOf(landing.block)] = true;
  }
  SentBytes sent;
  for (const Message& message : step.messages) {
    if (!landed[indexOf(message.from)]) continue;
    std::vector<bool>& bytes = sent[message.from];
    bytes.resize(blocks[indexOf(message.from)].bytes.value(), false);
    forEachUnit(message, 0, message.walk.begin.from.value(), 0,
                [&](std::uint64_t from, std::uint64_t) {
                  for (std::uint64_t b = 0; b < message.unit.value(); ++b) bytes[from + b] = true;
                });
  }
  return sent;
}

void verifyLanding(const Message& message, const Landing& landing, const SentBytes& sent,
                   const Step& step) {
  const auto found = sent.find(landing.block);
  if (found == sent.end()) return;
  const std::uint64_t first = (landing.offset + message.walk.begin.to).value();
  forEachUnit(message, 0, 0, first, [&](std::uint64_t, std::uint64_t to) {
    for (std::uint64_t b = 0; b < message.unit.value(); ++b) {
      if (found->second[to + b]) {
        throw InternalError(step.name + ": a message lands on what another one sends");
      }
    }
  });
}

void verifyEnds(const Message& message, const Step& step, const std::vector<Block>& blocks) {
  const auto end = message.walk.begin + message.walk.span({message.unit, message.unit});
  if (end.from > blocks.at(indexOf(message.from)).bytes) {
    throw InternalError(step.name + ": a message sends more than its block");
  }
  for (const Landing& landing : step.receiver_lists.at(message.receivers)) {
    if (landing.offset + end.to > blocks.at(indexOf(landing.block)).bytes) {
      throw InternalError(step.name + ": a message lands past its block");
    }
  }
}

/// Copies the units of a message. `Unit` is the size of a unit; 0 stands for any size.
template <std::size_t Unit>
void copyUnits(const Message& message, const std::byte* from, std::byte* to) {
  const std::size_t bytes = Unit == 0 ? message.unit.value() : Unit;
  forEachUnit(message, 0, 0, 0, [=](std::uint64_t from_offset, std::uint64_t to_offset) {
    std::memcpy(to + to_offset, from + from_offset, bytes);
  });
}

void copyMessage(const Message& message, const std::byte* from, std::byte* to) {
  switch (message.unit.value()) {
    case sizeof(std::uint16_t):
      return copyUnits<sizeof(std::uint16_t)>(message, from, to);
    case sizeof(std::uint32_t):
      return copyUnits<sizeof(std::uint32_t)>(message, from, to);
    case sizeof(std::uint64_t):
      return copyUnits<sizeof(std::uint64_t)>(message, from, to);
    default:
      return copyUnits<0>(message, from, to);
  }
}

}  // namespace

void verifyExchange(const Step& step, const std::vector<Block>& blocks) {
  for (const Message& message : step.messages) verifyEnds(message, step, blocks);
  const SentBytes sent = sentWhereLanded(step, blocks);
  if (sent.empty()) return;
  for (const Message& message : step.messages) {
    for (const Landing& landing : step.receiver_lists[message.receivers]) {
      verifyLanding(message, landing, sent, step);
    }
  }
}

void moveMessage(const Message& message, const Landing& landing, const std::vector<Block>& blocks,
                 TileMemories& memories) {
  const BlockOffsets begin = message.walk.begin;
  const Bytes landed = landing.offset + begin.to;
  copyMessage(message, memories.at(blocks[indexOf(message.from)]) + begin.from.value(),
              memories.at(blocks[indexOf(landing.block)]) + landed.value());
  ByteOwners* owners = memories.owners();
  if (owners == nullptr) return;
  forEachUnit(message, 0, begin.from.value(), landed.value(),
              [&](std::uint64_t from, std::uint64_t to) {
                owners->copy(message.from, Bytes(from), {landing.block, Bytes(to), message.unit});
              });
}

}  // namespace ipusim::checker
