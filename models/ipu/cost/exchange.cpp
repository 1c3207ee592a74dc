// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange.h"

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

/// Where the sync controller sits.
TilePlace middle(const Machine& machine) {
  const std::uint32_t last = machine.tiles - 1;
  const std::uint32_t last_of_column = std::min(last, machine.fabric.tiles_per_column - 1);
  return {(machine.columnOf(last) + 1) / 2, (machine.rowOf(last_of_column) + 1) / 2};
}

}  // namespace

Cycles startDelay(const Machine& machine, std::uint32_t from, std::uint32_t to) {
  return delayBetween(machine.fabric, {machine.columnOf(from), machine.rowOf(from)},
                      {machine.columnOf(to), machine.rowOf(to)});
}

StartDelays::StartDelays(const Machine& machine) : fabric_(machine.fabric) {
  places_.reserve(machine.tiles);
  for (std::uint32_t tile = 0; tile < machine.tiles; ++tile) {
    places_.push_back({machine.columnOf(tile), machine.rowOf(tile)});
  }
}

Cycles StartDelays::operator()(std::uint32_t from, std::uint32_t to) const {
  return delayBetween(fabric_, places_[from], places_[to]);
}

Cycles portCycles(const Machine& machine, Bytes bytes) {
  return cyclesFor(bytes, machine.fabric.exchange_rate);
}

Cycles syncDistance(const Machine& machine, std::uint32_t tile) {
  const TilePlace controller = middle(machine);
  return machine.fabric.sync_per_column * apart(machine.columnOf(tile), controller.column) +
         machine.fabric.sync_per_row * apart(machine.rowOf(tile), controller.row);
}

Cycles exchangePhaseOverhead(const Machine& machine) {
  constexpr std::uint32_t kFarthest = 0;  // middle() rounds up, away from the first tile
  return machine.fabric.start_delay_longest + machine.fabric.sync_base +
         syncDistance(machine, kFarthest) * 2;
}

}  // namespace ipusim::models
