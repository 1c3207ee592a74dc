// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// How long the ports of the tiles are held after a release.
///
/// One pass over the transmissions of an exchange gives the first start and the last end of every
/// port. The pass is made for the first tile that comes to the exchange; later tiles read its
/// result. The exchanges of a tile since its last Sync follow each other on its ports.
class PortClock {
 public:
  explicit PortClock(const ChipPrograms& programs);

  /// Called when a Sync was passed.
  void freeAll();
  /// How long after `release` the last transmission of `exchange` on the ports of `tile` ends; zero
  /// when there is none. Throws InternalError when two transmissions meet on a port.
  std::uint64_t end(std::uint32_t tile, std::uint32_t exchange, Cycles release);

 private:
  /// The index of a port: the tile's number for a send port, and `tiles_` more for a receive port.
  using Index = std::size_t;

  void passOver(std::uint32_t exchange);
  void hold(Index port, std::uint32_t transmission, std::uint64_t length);
  void follow(Index port);
  [[noreturn]] void failAt(Index port, std::uint32_t first, std::uint32_t second) const;

  static constexpr std::uint32_t kNoExchange = ~std::uint32_t{0};

  const ChipPrograms& programs_;
  std::size_t tiles_;
  Cycles release_;
  std::uint32_t exchange_ = kNoExchange;  // the exchange that was passed over last
  // One entry per port: what that exchange brings to the port. An end of zero: nothing.
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint32_t> firsts_;  // transmissions
  std::vector<std::uint32_t> lasts_;
  // One entry per port: how far the exchanges of the tile since the release have used it.
  std::vector<std::uint64_t> free_;
  std::vector<std::uint32_t> held_by_;
};

}  // namespace ipusim::models
