// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"

namespace ipusim {

/// What the parts of a machine do, as counts of events. A step, a tile and a run have an Activity
/// each: that of a run is the sum over its steps, and the sum over its tiles. The counts do not
/// depend on the engine. A count beyond 64 bits is a CountError.
struct Activity {
  std::uint64_t half_macs = 0;   ///< multiply-adds with half operands, whatever the sum's type is
  std::uint64_t float_macs = 0;  ///< multiply-adds with float operands
  Flops other_flops;             ///< all other floating-point operations
  Bytes loaded_bytes;            ///< operand data that vertices and on-tile copies load
  Bytes stored_bytes;            ///< operand data that vertices and on-tile copies store
  /// Issue slots that vertices take, of workers and supervisors. The slots come from the formula of
  /// the vertex's cycles. All tile cycles of a supervisor vertex count.
  std::uint64_t bundles = 0;
  std::uint64_t sent_words = 0;      ///< words of 4 bytes that tiles send; a multicast is sent once
  std::uint64_t received_words = 0;  ///< words that tiles receive; each listener counts
  /// Words times the tile rows between a tile and the spine, at both ends of a transmission.
  std::uint64_t column_word_rows = 0;
  std::uint64_t spine_words = 0;  ///< words on the spine of an IPU; a multicast counts once
  std::uint64_t tile_syncs = 0;   ///< syncs times the tiles that take part
  Bytes link_bytes;               ///< payload that enters the links of an IPU
  Bytes host_bytes;               ///< moved between the host and the chip
  Bytes streaming_bytes;          ///< moved between the streaming memory and the chip
  /// Cycles in compute sets, on-tile copies and exchanges on an IPU, over the tiles.
  Cycles busy_tile_cycles;
  Cycles tile_cycles;  ///< all cycles, over the tiles: waits and the time after the last step too

  /// All multiply-adds as two operations each, and all other operations.
  [[nodiscard]] Flops flops() const {
    return Flops(checkedProduct<std::uint64_t>(checkedSum(half_macs, float_macs), 2)) + other_flops;
  }

  Activity& operator+=(const Activity& other);
  friend Activity operator*(const Activity& activity, std::uint64_t times);
  friend bool operator==(const Activity& a, const Activity& b);
  friend bool operator!=(const Activity& a, const Activity& b) { return !(a == b); }
};

Activity operator*(const Activity& activity, std::uint64_t times);

}  // namespace ipusim
