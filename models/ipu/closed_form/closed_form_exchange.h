// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// Until when the ports of the tiles are held after a release.
///
/// One pass over the transmissions of an exchange gives the first start and the last end of every
/// port. It is made for the first tile that comes to the exchange; the tiles that follow read its
/// result. The exchanges of a tile since the last Sync follow one another on its ports.
class PortClock {
 public:
  explicit PortClock(const ChipPrograms& programs);

  /// A Sync was passed.
  void freeAll();
  /// How long after `release` the last transmission of `exchange` on the ports of `tile` ends; zero
  /// when there is none. Throws InternalError where two transmissions meet on a port.
  std::uint64_t end(std::uint32_t tile, std::uint32_t exchange, Cycles release);

 private:
  /// A port: the tile's number where it sends, `tiles_` more where it receives.
  using Index = std::size_t;

  void passOver(std::uint32_t exchange);
  void hold(Index port, std::uint32_t transmission, std::uint64_t length);
  void follow(Index port);
  [[noreturn]] void failAt(Index port, std::uint32_t first, std::uint32_t second) const;

  static constexpr std::uint32_t kNoExchange = ~std::uint32_t{0};

  const ChipPrograms& programs_;
  std::size_t tiles_;
  Cycles release_;
  std::uint32_t exchange_ = kNoExchange;  // the one that was passed over last
  // One entry per port: what that exchange brings to it. No end where it brings nothing.
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint32_t> firsts_;  // transmissions
  std::vector<std::uint32_t> lasts_;
  // One entry per port: what its tile's exchanges left since the release.
  std::vector<std::uint64_t> free_;
  std::vector<std::uint32_t> held_by_;
};

}  // namespace ipusim::models
