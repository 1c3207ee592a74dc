// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/exchange.h"

#include <algorithm>

namespace ipusim::models {
namespace {

std::uint64_t apart(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}

Cycles delayBetween(const Fabric& fabric, TilePlace from, TilePlace to) {
  const Cycles sooner = fabric.start_delay_per_column * apart(from.column, to.column) +
                        fabric.start_delay_per_row * apart(from.row, to.row) +
                        fabric.start_delay_per_receiver_row * to.row;
  return excess(fabric.start_delay_longest, sooner);
}

/// The place of the sync controller.
TilePlace middle(const Interconnect& interconnect) {
  const std::uint32_t last = interconnect.tiles - 1;
  const std::uint32_t last_of_column = std::min(last, interconnect.fabric.tiles_per_column - 1);
  return {(interconnect.columnOf(last) + 1) / 2, (interconnect.rowOf(last_of_column) + 1) / 2};
}

}  // namespace

StartDelays::StartDelays(const Interconnect& interconnect) : fabric_(interconnect.fabric) {
  places_.reserve(interconnect.tiles);
  for (std::uint32_t tile = 0; tile < interconnect.tiles; ++tile) {
    places_.push_back({interconnect.columnOf(tile), interconnect.rowOf(tile)});
  }
}

Cycles StartDelays::operator()(std::uint32_t from, std::uint32_t to) const {
  return delayBetween(fabric_, places_[from], places_[to]);
}

std::uint32_t rowsToSpine(const Interconnect& interconnect, std::uint32_t tile) {
  return interconnect.rowOf(tile) + 1;
}

Cycles portCycles(const Interconnect& interconnect, Bytes bytes) {
  return cyclesFor(bytes, interconnect.fabric.exchange_rate);
}

Bytes receivedBytes(const Fabric& fabric, Bytes bytes, std::uint64_t pieces) {
  return std::max(bytes,
                  Bytes(fabric.exchange_rate.value() * fabric.receive_control_words * pieces));
}

Cycles syncDistance(const Interconnect& interconnect, std::uint32_t tile) {
  const TilePlace controller = middle(interconnect);
  return interconnect.fabric.sync_per_column *
             apart(interconnect.columnOf(tile), controller.column) +
         interconnect.fabric.sync_per_row * apart(interconnect.rowOf(tile), controller.row);
}

Cycles exchangePhaseOverhead(const Interconnect& interconnect) {
  constexpr std::uint32_t kFarthest = 0;  // middle() rounds up, away from the first tile
  return interconnect.fabric.start_delay_longest + interconnect.fabric.sync_base +
         syncDistance(interconnect, kFarthest) * 2;
}

}  // namespace ipusim::models
