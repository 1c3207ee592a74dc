// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/program/exchange_verifier.h"

#include <algorithm>
#include <string>

#include "ipusim/error.h"

namespace ipusim {

ExchangeVerifier::ExchangeVerifier(const ChipPrograms& programs)
    : programs_(programs),
      places_(programs.exchanges.size()),
      has_part_(programs.exchanges.size() * programs.tiles.size()) {
  const std::vector<Transmission>& transmissions = programs.transmissions;
  for (std::size_t e = 0; e < places_.size(); ++e) {
    const Exchange& exchange = programs.exchanges[e];
    check(std::uint64_t{exchange.first} + exchange.count <= transmissions.size(),
          "an exchange has transmissions out of range");
    for (std::uint32_t t = exchange.first; t < exchange.first + exchange.count; ++t) {
      verifyTransmission(transmissions[t]);
      addParts(e, transmissions[t]);
    }
  }
}

void ExchangeVerifier::verifyTransmission(const Transmission& transmission) const {
  const std::uint64_t last =
      std::uint64_t{transmission.first_tile} + transmission.lenders + transmission.receivers;
  check(last <= programs_.transmission_tiles.size(), "the tiles of a message are out of range");
  check(transmission.receivers > 0, "a message has a receiver");
  check(transmission.length > Cycles(0), "a message takes at least a cycle");
  const Cycles longest = std::max({transmission.start, transmission.length, transmission.control});
  if (longest.value() > kLastCycle.value() / 4) throwCountError();
}

void ExchangeVerifier::addParts(std::size_t exchange, const Transmission& transmission) {
  const std::size_t tiles = programs_.tiles.size();
  const auto add = [&](TileId tile) {
    check(tile.ipu() == 0 && tile.tile() < tiles, "a message has both ends on the chip");
    has_part_[exchange * tiles + tile.tile()] = true;
  };
  add(transmission.from);
  for (const TileId tile : programs_.lendersOf(transmission)) add(tile);
  for (const TileId tile : programs_.receiversOf(transmission)) add(tile);
}

void ExchangeVerifier::take(std::uint32_t tile, std::uint32_t exchange, std::uint32_t barriers) {
  Places& places = places_[exchange];
  if (places.model == kNoTile) places.model = tile;
  if (places.tile != tile) places.seen = 0;
  places.tile = tile;
  if (places.model == tile) {
    places.barriers.push_back(barriers);
  } else if (places.seen == places.barriers.size() || places.barriers[places.seen] != barriers) {
    fail(tile, exchange, "has it where another tile has not");
  }
  ++places.seen;
}

void ExchangeVerifier::finish(std::uint32_t tile) const {
  for (std::size_t e = 0; e < places_.size(); ++e) {
    if (!hasPart(e, tile) && places_[e].tile != tile) continue;
    if (places_[e].tile != tile) fail(tile, e, "takes no part in a message of it");
    if (places_[e].seen < places_[e].barriers.size()) {
      fail(tile, e, "has it less often than another tile");
    }
  }
}

void ExchangeVerifier::fail(std::uint32_t tile, std::size_t exchange, const char* what) {
  throw InternalError("tile " + std::to_string(tile) + ", exchange " + std::to_string(exchange) +
                      ": " + what);
}

}  // namespace ipusim
