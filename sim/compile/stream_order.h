// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/compile/exchange_streams.h"

// In which order the streams of an exchange take their ports: indices into StreamSet::streams.

namespace ipusim::compiler {

using StreamOrder = std::vector<std::uint32_t>;

/// How many lengths there are, like ones as one.
std::size_t countLengths(const StreamSet& set);

/// One receiver, or one bus group.
bool hasOneReceiver(const Stream& stream);

/// Which streams to one receiver share rounds.
enum class Sharing : std::uint8_t { LikeLengths, AllLengths };

/// Rounds of streams of like length, those to many receivers first, then the long ones; in a round
/// a port has one stream at most. Streams to one receiver (or one bus group) take as few rounds as
/// the busiest port needs. Right where the streams of a port are alike.
StreamOrder orderByRounds(const StreamSet& set, std::uint32_t tiles, Sharing sharing);

/// Streams one by one, long ones first, each at the first time when all its ports have a gap for
/// it, in a time of whole slots of `slot` cycles. Right where lengths differ.
StreamOrder orderByGaps(const StreamSet& set, std::uint32_t tiles, Cycles slot);

/// As time goes on: a tile that is free sends what it has for a receiver that is free, the one that
/// has most to come. Right where lengths differ and every port is busy all the time; for streams to
/// one receiver (or one bus group). Nothing when the streams would take more than `most` that way.
std::optional<StreamOrder> orderByDispatch(const StreamSet& set, std::uint32_t tiles, Cycles most);

}  // namespace ipusim::compiler
