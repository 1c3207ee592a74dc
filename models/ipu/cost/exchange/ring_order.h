// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/exchange/collective.h"

namespace ipusim::models {

/// The members of a ring in its order, and the second order of a quad ring as Collective::mirror.
struct IpuRing {
  std::vector<std::uint32_t> ipus;
  std::vector<std::uint32_t> mirror = {};
};

/// True where the rails of a rack are closed.
bool isTorus(const System& system);

/// A ring through `ipus`, which are sorted, in an order that the links of the system have:
///
/// * On a ladder, the ring goes up the even rail and down the odd one. All rails are used once in
///   each direction, but for those that close a torus.
/// * A quad ring through a whole rack on a torus, whose rungs are an even number, turns at every
///   rung: 0, 1, 3, 2, 4, 5, 7, 6 and so on. The mirrored order begins on the other side: 1, 0, 2,
///   3, 5, 4, 6, 7. Both orders together use every rail once in each direction, and the links of a
///   rung, which are twice as many, twice.
/// * Other links are followed from neighbour to neighbour where a ring is found, as on a ring or a
///   grid of one's own. Otherwise the ring has the order of `ipus`, and its hops pass through IPUs.
///
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4) for the
/// ladder.
IpuRing ringThrough(const System& system, const std::vector<std::uint32_t>& ipus,
                    CollectiveMethod method);

/// The order of ringThrough() for all methods but the quad ring.
std::vector<std::uint32_t> ringOrder(const System& system, const std::vector<std::uint32_t>& ipus);

/// The IPUs first, first + 1, and so on.
std::vector<std::uint32_t> consecutiveIpus(std::uint32_t first, std::uint32_t count);

}  // namespace ipusim::models
