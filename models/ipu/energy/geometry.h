// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"

// How far words go, in pitches of a tile. Physical columns of tiles stand on both sides of a spine,
// one tile in a row. A word goes down its sender's column, along the whole spine, and up the column
// of each receiver.

namespace ipusim::energy {

/// Rows of tiles in a column.
inline double rowsOf(const Interconnect& chip) {
  return static_cast<double>(chip.fabric.tiles_per_column) / chip.fabric.tiles_per_row;
}

/// Length of the spine, along which half of the columns stand on each side.
inline double spinePitches(const Interconnect& chip) {
  return chip.tiles / rowsOf(chip) / 2;
}

/// The way of a word from any tile to any other, on average: half a column at both ends and the
/// spine.
inline double meanPathPitches(const Interconnect& chip) {
  return rowsOf(chip) + spinePitches(chip);
}

}  // namespace ipusim::energy
