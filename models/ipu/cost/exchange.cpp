// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange.h"

#include <algorithm>

namespace ipusim::models {
namespace {

std::uint64_t apart(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}

/// Where the sync controller sits.
struct Place {
  std::uint32_t column;
  std::uint32_t row;
};

Place middle(const Machine& machine) {
  const std::uint32_t last = machine.tiles - 1;
  const std::uint32_t last_of_column = std::min(last, machine.fabric.tiles_per_column - 1);
  return {(machine.columnOf(last) + 1) / 2, (machine.rowOf(last_of_column) + 1) / 2};
}

}  // namespace

Cycles startDelay(const Machine& machine, std::uint32_t from, std::uint32_t to) {
  const Fabric& fabric = machine.fabric;
  const std::uint64_t columns = apart(machine.columnOf(from), machine.columnOf(to));
  const std::uint64_t rows = apart(machine.rowOf(from), machine.rowOf(to));
  const Cycles sooner = fabric.start_delay_per_column * columns +
                        fabric.start_delay_per_row * rows +
                        fabric.start_delay_per_receiver_row * machine.rowOf(to);
  return excess(fabric.start_delay_longest, sooner);
}

Cycles portCycles(const Machine& machine, Bytes bytes) {
  return cyclesFor(bytes, machine.fabric.exchange_rate);
}

Cycles syncDistance(const Machine& machine, std::uint32_t tile) {
  const Place controller = middle(machine);
  return machine.fabric.sync_per_column * apart(machine.columnOf(tile), controller.column) +
         machine.fabric.sync_per_row * apart(machine.rowOf(tile), controller.row);
}

}  // namespace ipusim::models
