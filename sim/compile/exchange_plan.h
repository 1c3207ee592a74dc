// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// One tile's part in one exchange.
struct TileExchange {
  std::vector<models::PortUse> sends;
  std::vector<models::PortUse> receives;
  std::uint64_t send_instructions = 0;     ///< one for each consecutive piece sent
  std::uint64_t receive_instructions = 0;  ///< one for each consecutive piece received
  std::uint64_t received_bytes = 0;

  [[nodiscard]] bool takesPart() const { return !sends.empty() || !receives.empty(); }
};

/// The messages of one Exchange step on the ports of the tiles.
///
/// A message holds the send port of its tile and the receive port of each receiver for its payload
/// at the port's rate, and each receiver for the control words that point its port at the pieces.
/// Where the tiles that share a bus all receive the same data the stream is doubled: it leaves at
/// twice the rate and holds the send ports of the sender's whole group; the sender's own group
/// takes it at the plain rate. Source: poplibs lib/poplin/ExchangeEstimator.hpp and
/// lib/popops/ExchangeEstimator.cpp (when a stream is shared), osmarks/ipu-stack (paired mode).
///
/// The bound: every port works through its own messages back to back from the start delay on,
/// whatever the port at the other end does. No schedule can be shorter than the busiest port.
std::vector<TileExchange> planBoundExchange(const models::Machine& machine, const Step& step,
                                            const std::vector<Block>& blocks);

ExchangeVolume volumeOf(const Step& step, const std::vector<TileExchange>& plan);

}  // namespace ipusim::compiler
