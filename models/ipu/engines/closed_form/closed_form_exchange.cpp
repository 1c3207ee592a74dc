// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/closed_form_exchange.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::models {

PortClock::PortClock(const ChipPrograms& programs)
    : programs_(programs),
      tiles_(programs.tiles.size()),
      ends_(2 * tiles_),
      firsts_(2 * tiles_),
      lasts_(2 * tiles_),
      free_(2 * tiles_),
      held_by_(2 * tiles_) {}

void PortClock::freeAll() {
  std::fill(free_.begin(), free_.end(), 0);
}

std::uint64_t PortClock::end(std::uint32_t tile, std::uint32_t exchange, Cycles release) {
  release_ = release;
  if (exchange_ != exchange) passOver(exchange);
  const Index sends = tile;
  const Index receives = tiles_ + tile;
  follow(sends);
  follow(receives);
  const std::uint64_t last = std::max(ends_[sends], ends_[receives]);
  return last == 0 ? 0 : programs_.timing.sync_distance[tile].value() + last;
}

/// The times of ports do not depend on the release, so an exchange that was the last one passed
/// over need not be passed over again.
void PortClock::passOver(std::uint32_t exchange) {
  exchange_ = exchange;
  std::fill(ends_.begin(), ends_.end(), 0);
  const Exchange& passed = programs_.exchanges[exchange];
  for (std::uint32_t t = passed.first; t < passed.first + passed.count; ++t) {
    const Transmission& transmission = programs_.transmissions[t];
    const std::uint64_t sent = transmission.length.value();
    hold(transmission.from.tile(), t, sent);
    for (const TileId lender : programs_.lendersOf(transmission)) hold(lender.tile(), t, sent);
    for (const TileId receiver : programs_.receiversOf(transmission)) {
      hold(tiles_ + receiver.tile(), t, sent + transmission.control.value());
    }
  }
}

void PortClock::hold(Index port, std::uint32_t transmission, std::uint64_t length) {
  const std::uint64_t start = programs_.transmissions[transmission].start.value();
  if (start < ends_[port]) failAt(port, lasts_[port], transmission);
  if (ends_[port] == 0) firsts_[port] = transmission;
  ends_[port] = start + length;
  lasts_[port] = transmission;
}

/// Puts the exchange behind those before it on the port.
void PortClock::follow(Index port) {
  if (ends_[port] == 0) return;
  if (programs_.transmissions[firsts_[port]].start.value() < free_[port]) {
    failAt(port, held_by_[port], firsts_[port]);
  }
  free_[port] = ends_[port];
  held_by_[port] = lasts_[port];
}

void PortClock::failAt(Index port, std::uint32_t first, std::uint32_t second) const {
  const bool sends = port < tiles_;
  const TileId tile(static_cast<std::uint32_t>(sends ? port : port - tiles_));
  const Port end{tile, sends ? PortDirection::Send : PortDirection::Receive};
  throw InternalError(collisionOnPort(programs_, end, release_, first, second));
}

}  // namespace ipusim::models
