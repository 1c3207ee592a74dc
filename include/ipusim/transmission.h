// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/ids.h"
#include "ipusim/units.h"

namespace ipusim {

struct ChipPrograms;

/// Words that one tile sends to one or more others, all at once. Its times are of each tile's own
/// clock, which starts when the release of the Sync before the exchange reaches the tile: a word
/// that is sent at a cycle is received at the same one.
struct Transmission {
  TileId from;
  std::uint32_t first_tile;  ///< into ChipPrograms::transmission_tiles: lenders, then receivers
  std::uint32_t lenders;     ///< tiles whose send ports it holds besides the sender's
  std::uint32_t receivers;   ///< at least one
  Cycles start;
  Cycles length;   ///< for which it holds the send ports: the payload, at least one cycle
  Cycles control;  ///< for which it holds the receive ports after that: the control words
  Bytes bytes;     ///< payload of one receiver
};

/// The transmissions of one exchange: [first, first + count) of ChipPrograms::transmissions. On
/// every port they stand in the order of their start.
struct Exchange {
  std::uint32_t first;
  std::uint32_t count;
};

/// The text of the InternalError for two transmissions that meet on a port after a release: the
/// tile, the cycle and both transmissions. `second` comes after `first` on the port, and starts
/// before its end.
std::string meetingOnPort(const ChipPrograms& programs, Port port, Cycles release,
                          std::uint32_t first, std::uint32_t second);

}  // namespace ipusim
