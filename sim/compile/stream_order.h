// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/exchange_streams.h"

// In which order the streams of an exchange take their ports: indices into StreamSet::streams.

namespace ipusim::compiler {

using StreamOrder = std::vector<std::uint32_t>;

/// How many lengths there are, like ones as one.
std::size_t countLengths(const StreamSet& set);

/// Which streams to one receiver share rounds.
enum class Sharing : std::uint8_t { LikeLengths, AllLengths };

/// Rounds in each of which a port has one stream at most: of streams to many receivers first, long
/// ones first. Streams to one receiver (or one bus group) take as few rounds as the busiest port
/// needs. Right where the streams of a port are alike.
StreamOrder orderByRounds(const StreamSet& set, std::uint32_t tiles, Sharing sharing);

/// Streams one by one, long ones first, each at the first time when all its ports have a gap for
/// it, in a time of whole slots of `slot` cycles. Right where lengths differ.
StreamOrder orderByGaps(const StreamSet& set, std::uint32_t tiles, Cycles slot);

}  // namespace ipusim::compiler
