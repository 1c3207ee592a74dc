// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/ids.h"
#include "ipusim/units.h"

namespace ipusim {

struct ChipPrograms;

/// Words that one tile sends to one or more others at once. The times count on each tile's own
/// clock, which starts when the release of the Sync before the exchange reaches the tile. A word is
/// received at the cycle at which it is sent, each on the clock of its own tile.
struct Transmission {
  TileId from;
  /// Index into ChipPrograms::transmission_tiles: lenders, then receivers.
  std::uint32_t first_tile;
  std::uint32_t lenders;    ///< tiles whose send ports it holds besides the sender's own
  std::uint32_t receivers;  ///< at least one
  Cycles start;
  Cycles length;   ///< how long it holds the send ports, for the payload: at least one cycle
  Cycles control;  ///< how much longer it holds the receive ports, for control instructions
  Bytes bytes;     ///< payload that each receiver gets
};

/// The transmissions of one exchange: [first, first + count) of ChipPrograms::transmissions. On
/// every port they are in the order of their starts.
struct Exchange {
  std::uint32_t first;
  std::uint32_t count;
};

/// The text of the InternalError when two transmissions meet on a port after a release. It names
/// the tile, the cycle and both transmissions. `second` comes after `first` on the port, and starts
/// before the end of `first`.
std::string collisionOnPort(const ChipPrograms& programs, Port port, Cycles release,
                            std::uint32_t first, std::uint32_t second);

}  // namespace ipusim
