// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/compile/exchange_streams.h"

namespace ipusim::compiler {

/// One tile's part in one exchange.
struct TileExchange {
  Cycles ports_free;  ///< when both its ports are through, after the controller's release
  std::uint64_t send_instructions = 0;     ///< one for each consecutive piece sent
  std::uint64_t receive_instructions = 0;  ///< one for each consecutive piece received
  Bytes received;

  [[nodiscard]] bool takesPart() const { return ports_free > Cycles(0); }
};

/// What an exchange is on the chip. `first_tile` of a transmission is into `transmission_tiles`.
/// The bound has no transmissions: it knows the times of ports, and not what passes them.
struct ExchangePlan {
  ExchangeMode mode = ExchangeMode::Scheduled;
  std::vector<TileExchange> tiles;
  std::vector<Transmission> transmissions;
  std::vector<TileId> transmission_tiles;
};

/// The messages of one Exchange step on the ports of the tiles, as `mode` says.
ExchangePlan planExchange(const Interconnect& interconnect, ExchangeMode mode, const Step& step,
                          const std::vector<Block>& blocks);

/// The bound: every port works through its own streams, those that may start first before the
/// others, whatever the ports at the other end do. No schedule of these streams is shorter, and no
/// chip could play it: the two ends of a stream have times of their own.
ExchangePlan planBoundExchange(const Interconnect& interconnect, const Step& step,
                               const std::vector<Block>& blocks);

/// A static schedule: a stream holds all its ports from one cycle on, and a port has one stream at
/// a time. Times are of each tile's own clock after the release, as the start delays are: a word
/// that is sent at a cycle is received at the same.
ExchangePlan planScheduledExchange(const Interconnect& interconnect, const Step& step,
                                   const std::vector<Block>& blocks);

/// The plan of every Exchange step; steps that exchange alike have one.
struct ExchangePlans {
  std::vector<ExchangePlan> plans;
  std::map<StepId, std::uint32_t> of_step;  ///< its number in `plans`
};

/// What scheduling makes of all exchanges.
struct Scheduled {
  ExchangePlans plans;
  Traffic traffic;
};

Scheduled schedule(const Lowered& lowered, const Interconnect& interconnect, ExchangeMode mode);

}  // namespace ipusim::compiler
