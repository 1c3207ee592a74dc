// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/exchange/links.h"

namespace ipusim::models {

/// Consecutive bytes that a tile of one IPU sends to a tile of another. Tile t of IPU i has the
/// number i * Machine::tiles + t.
struct TileFlow {
  std::uint32_t from;
  std::uint32_t to;
  Bytes bytes;
};

/// How long a global exchange takes, and which links it uses.
struct GlobalExchangeCost {
  Cycles sync;      ///< the external sync, from the last IPU that comes
  Cycles transfer;  ///< the fixed cost and the payload
  std::vector<LinkLoad> loads;
};

/// The packets that so many consecutive bytes travel in.
std::uint64_t packetsOf(const LinkTiming& timing, Bytes bytes);

/// A global exchange among all IPUs of `system`:
///
///   sync + fixed + max over directed link sets, tiles and exchange contexts
///
/// A set of links takes its bytes over the rate of its links. A tile sends and receives one word
/// per cycle. Every tile reaches two contexts, one on each side of the chip, and shares them with
/// other tiles; a context passes one word per cycle, each way. All bytes are those of whole packets
/// with their headers.
/// Source: graphcore/poplibs lib/poplibs_test/Util.cpp (MIT) for the links; osmarks/ipu-stack for
/// the contexts of a tile.
/// Calibrated: the fixed cost and the efficiency of links, see docs. Valid for: flows that start
/// together, as the compiler schedules them.
GlobalExchangeCost globalExchangeCost(const System& system, const Routes& routes,
                                      const std::vector<TileFlow>& flows);

}  // namespace ipusim::models
