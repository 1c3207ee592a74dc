// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"

namespace ipusim {

/// `a + b` and `a * b`, or the largest number of 64 bits where they are beyond it.
std::uint64_t cappedSum(std::uint64_t a, std::uint64_t b);
std::uint64_t cappedProduct(std::uint64_t a, std::uint64_t b);

/// What the parts of a machine do, as counts of events. A step, a tile and a run have an Activity
/// each: that of a run is the sum over its steps, and the sum over its tiles. The counts do not
/// depend on the engine. They add up events that run side by side, and pass 64 bits long before the
/// clock of the run does: a count then stays at the largest number.
struct Activity {
  std::uint64_t half_macs = 0;   ///< multiply-adds with half operands, whatever the sum's type is
  std::uint64_t float_macs = 0;  ///< multiply-adds with float operands
  Flops other_flops;             ///< all other floating-point operations
  Bytes loaded_bytes;            ///< operand data that vertices and on-tile copies load
  Bytes stored_bytes;            ///< operand data that vertices and on-tile copies store
  /// Issue slots that vertices take, of workers and supervisors. The slots come from the formula of
  /// the vertex's cycles. All tile cycles of a supervisor vertex count.
  std::uint64_t bundles = 0;
  /// Words of 4 bytes that tiles send to tiles. A transmission to many is sent once.
  std::uint64_t sent_words = 0;
  std::uint64_t received_words = 0;  ///< words that tiles receive; each listener counts
  /// Words times the tile rows from a tile to the spine, at both ends of a transmission.
  std::uint64_t column_word_rows = 0;
  std::uint64_t spine_words = 0;  ///< words on the spine of an IPU; a multicast counts once
  std::uint64_t tile_syncs = 0;   ///< syncs times the tiles that take part
  /// Bytes on the links between IPUs, packet headers included, once for each link on the way. They
  /// are counts of the tile that sends.
  Bytes link_bytes;
  Bytes host_bytes;       ///< moved between the host and the chip
  Bytes streaming_bytes;  ///< moved between the streaming memory and the chip
  /// Cycles in compute sets, on-tile copies and exchanges on an IPU, over the tiles.
  Cycles busy_tile_cycles;
  Cycles tile_cycles;  ///< all cycles, over the tiles: waits and the time after the last step too

  /// All multiply-adds as two operations each, and all other operations.
  [[nodiscard]] Flops flops() const;

  Activity& operator+=(const Activity& other);
  friend Activity operator*(const Activity& activity, std::uint64_t times);
  friend bool operator==(const Activity& a, const Activity& b);
  friend bool operator!=(const Activity& a, const Activity& b) { return !(a == b); }
};

Activity operator*(const Activity& activity, std::uint64_t times);

}  // namespace ipusim
