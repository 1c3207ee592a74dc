// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/compile/schedule/exchange_streams.h"

// The orders in which the streams of an exchange take their ports: indices into StreamSet::streams.

namespace ipusim::compiler {

using StreamOrder = std::vector<std::uint32_t>;

/// How many lengths there are. Like lengths count as one.
std::size_t countLengths(const StreamSet& set);

/// True when the stream goes to one receiver or one bus group.
bool hasOneReceiver(const ExchangeStream& stream);

/// Which streams to one receiver share rounds.
enum class Sharing : std::uint8_t { LikeLengths, AllLengths };

/// Makes rounds of streams of like length. Rounds of streams to many receivers come first, then
/// rounds of long streams. A port has at most one stream in a round. Streams to one receiver or one
/// bus group take as few rounds as the busiest port needs. Suits sets in which the streams of a
/// port are alike.
StreamOrder orderByRounds(const StreamSet& set, std::uint32_t tiles, Sharing sharing);

/// Places streams one by one, long ones first, in slots of `slot` cycles. Each stream takes the
/// first slots in which all its ports have a gap for it. Suits sets whose lengths differ.
StreamOrder orderByGaps(const StreamSet& set, std::uint32_t tiles, Cycles slot);

/// Follows time: a tile that is free sends to the free receiver that has most left to receive.
/// Suits sets whose lengths differ and whose ports are all busy all the time. Every stream must go
/// to one receiver or one bus group. None when the streams would take more than `most` in this
/// order.
std::optional<StreamOrder> orderByDispatch(const StreamSet& set, std::uint32_t tiles, Cycles most);

}  // namespace ipusim::compiler
