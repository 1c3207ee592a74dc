// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/compile/schedule/exchange_streams.h"

namespace ipusim::compiler {

/// One tile's part in one exchange.
struct TileExchange {
  Cycles ports_free;                    ///< from the controller's release until both ports are done
  std::uint64_t send_instructions = 0;  ///< one for each consecutive piece sent
  std::uint64_t receive_instructions = 0;  ///< one for each consecutive piece received
  Bytes received;

  [[nodiscard]] bool takesPart() const { return ports_free > Cycles(0); }
};

/// Words of 4 bytes that a tile sends and receives in one exchange.
struct TileWords {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// What an exchange is on the chip. `first_tile` of a transmission is an index into
/// `transmission_tiles`. A bound has no transmissions: it knows how long ports are busy, but not
/// what passes them.
struct ExchangePlan {
  ExchangeMode mode = ExchangeMode::Scheduled;
  std::vector<TileExchange> tiles;
  std::vector<TileWords>
      words;  ///< one entry per tile; schedule() adds them up and takes them away
  std::vector<Transmission> transmissions;
  std::vector<TileId> transmission_tiles;
};

/// The activity of a tile that has so many words, of which `on_spine` count on the spine. `tile` is
/// its number on its IPU.
Activity activityOfWords(const TileWords& words, std::uint64_t on_spine,
                         const Interconnect& interconnect, std::uint32_t tile);

/// Puts the messages of one Exchange step on the ports of the tiles, in the way that `mode` names.
ExchangePlan planExchange(const Interconnect& interconnect, ExchangeMode mode, const Step& step,
                          const std::vector<Block>& blocks);

/// The bound: every port works through its own streams, whatever the ports at the other end do.
/// Streams that may start first go first. No schedule of these streams is shorter. No chip could
/// play the bound, because the two ends of a stream have different times.
ExchangePlan planBoundExchange(const Interconnect& interconnect, const Step& step,
                               const std::vector<Block>& blocks);

/// A static schedule: a stream holds all its ports from one cycle on, and a port has one stream at
/// a time. Times are on each tile's own clock after the release, like the start delays. A word that
/// is sent at a cycle is therefore received at the cycle with the same number.
ExchangePlan planScheduledExchange(const Interconnect& interconnect, const Step& step,
                                   const std::vector<Block>& blocks);

/// The plan of every Exchange step. Steps whose exchanges are alike share a plan.
struct ExchangePlans {
  std::vector<ExchangePlan> plans;
  std::map<StepId, std::uint32_t> of_step;  ///< the number of a step's plan in `plans`
};

/// What scheduling makes of all exchanges.
struct Scheduled {
  ExchangePlans plans;
  Traffic traffic;
};

Scheduled schedule(const Lowered& lowered, const Interconnect& interconnect, ExchangeMode mode);

}  // namespace ipusim::compiler
