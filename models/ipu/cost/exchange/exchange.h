// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The place of a tile: its column, and its row inside the column.
struct TilePlace {
  std::uint32_t column;
  std::uint32_t row;
};

/// Cycles from the release of a sync to the first word that tile `from` sends to tile `to`.
///
///   cycles = longest - per_column * |columns between| - per_row * |rows between|
///            - per_receiver_row * row(to), at least 0
///
/// A schedule has no handshake. The sender waits so that the word meets the receiver's multiplexer
/// at an agreed cycle, and a word with a longer way leaves sooner. No formula is published. This
/// one has four constants, fitted to the quantiles of a reverse-engineered table.
/// Source: osmarks/ipu-stack topology.rs (C600): least -1, 10 % 86, median 123, 90 % 154, most 189.
/// Calibrated: to those quantiles; it gives 4, 81, 123, 158, 189 on gc200.
/// Valid for: tiles of one IPU; as a distribution, not pair by pair. The object keeps the place
/// of every tile.
class StartDelays {
 public:
  explicit StartDelays(const Interconnect& interconnect);
  [[nodiscard]] Cycles operator()(std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] std::uint32_t tiles() const { return static_cast<std::uint32_t>(places_.size()); }

 private:
  Fabric fabric_;
  std::vector<TilePlace> places_;
};

/// Tile rows that a word passes between `tile` and the spine of the exchange:
///
///   rows = row(tile) + 1
///
/// A word of a tile runs along the column to the spine, and from the spine along the column of each
/// receiver. Row 0 is beside the spine: the higher the row of a receiver, the sooner must a word
/// leave, see StartDelays.
/// Source: Graphcore at Hot Chips 33 (AnandTech 16908): a fishbone with a central spine; columns of
/// 23 rows, osmarks/ipu-stack topology.rs.
/// Calibrated: no. Valid for: tiles of one IPU, by the number on their IPU.
std::uint32_t rowsToSpine(const Interconnect& interconnect, std::uint32_t tile);

/// The cycles for which a send or receive port is busy with `bytes`: ceil(bytes / exchange rate).
///
/// The rate limits a tile's own port. The fabric has no contention, because the exchange is
/// scheduled.
/// Source: graphcore/poplibs lib/popops/ExchangeEstimator.cpp (MIT).
/// Calibrated: no.
/// Valid for: one stream at the single rate, without control instructions that take longer.
Cycles portCycles(const Interconnect& interconnect, Bytes bytes);

/// The bytes that a receive port is busy with for `bytes` in `pieces` consecutive pieces: the
/// control instructions of the pieces issue beside the words, one per cycle, and the longer of the
/// two counts.
Bytes receivedBytes(const Fabric& fabric, Bytes bytes, std::uint64_t pieces);

/// The cycles that a request takes from `tile` to the sync controller. The release takes as long
/// back.
///
///   cycles = per_column * |columns between| + per_row * |rows between|
///
/// The controller is in the middle of the machine's tiles.
/// Source: Graphcore's profile documents mention a delay per tile, smaller near the controller, and
/// give no numbers. The constants are therefore free.
/// Calibrated: no.
/// Valid for: the internal sync of one IPU.
Cycles syncDistance(const Interconnect& interconnect, std::uint32_t tile);

/// The most cycles that an exchange phase takes besides its data, for plans:
///
///   cycles = longest start delay + sync_base + 2 * syncDistance of the farthest tile
///
/// The request of the farthest tile arrives last at the controller, and the release takes as long
/// to come back to that tile. On gc200 this is 189 + 25 + 2 * 84 = 382.
/// Calibrated: no.
/// Valid for: a bound, whatever tiles take part.
Cycles exchangePhaseOverhead(const Interconnect& interconnect);

}  // namespace ipusim::models
