// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim {

/// Compares the tiles' Exchanges with the transmissions. Every tile with a port that a transmission
/// holds must take part in the exchange, and all of them at the same point of the shared program.
class ExchangeVerifier {
 public:
  /// Checks each transmission alone.
  explicit ExchangeVerifier(const ChipPrograms& programs);

  /// Takes an Exchange of `tile`, which comes after `barriers` Syncs, HostTransfers, RepeatBegins
  /// and RepeatEnds. Tiles must come one after the other, from the first to the last.
  void take(std::uint32_t tile, std::uint32_t exchange, std::uint32_t barriers);
  /// Called when all Exchanges of `tile` were taken.
  void finish(std::uint32_t tile) const;

 private:
  /// The points at which the tiles have an exchange.
  struct Places {
    std::uint32_t model = kNoTile;  ///< the first tile that has it
    std::vector<std::uint32_t> barriers;
    std::uint32_t tile = kNoTile;  ///< the last tile that has it so far
    std::size_t seen = 0;          ///< how often that tile has it so far
  };
  static constexpr std::uint32_t kNoTile = ~std::uint32_t{0};

  void verifyTransmission(const Transmission& transmission) const;
  void addParts(std::size_t exchange, const Transmission& transmission);
  [[nodiscard]] bool hasPart(std::size_t exchange, std::uint32_t tile) const {
    return has_part_[exchange * programs_.tiles.size() + tile];
  }
  [[noreturn]] static void fail(std::uint32_t tile, std::size_t exchange, const char* what);

  const ChipPrograms& programs_;
  std::vector<Places> places_;  // one entry per exchange
  // At exchange * tiles + tile: a transmission holds a port of that tile.
  std::vector<bool> has_part_;
};

}  // namespace ipusim
