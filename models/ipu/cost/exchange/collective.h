// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ipusim/units.h"
#include "models/ipu/cost/exchange/links.h"

namespace ipusim::models {

/// How replicas in a ring share their data.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4);
/// Graphcore's GCL user guide, section 3.4.
enum class CollectiveMethod : std::uint8_t {
  Ring,             ///< n fragments, all in one direction
  OppositeRings,    ///< 2n fragments, half of them in each direction
  MeetInTheMiddle,  ///< n fragments, each half-way round in either direction
  QuadRing,         ///< 4n fragments, in both directions of two ring orders
  Broadcast,        ///< all members send to all others in one exchange
};

inline constexpr std::array kCollectiveMethods = {
    CollectiveMethod::Ring, CollectiveMethod::OppositeRings, CollectiveMethod::MeetInTheMiddle,
    CollectiveMethod::QuadRing, CollectiveMethod::Broadcast};

/// What chooses the method of a collective.
enum class CollectiveRule : std::uint8_t {
  Published,  ///< the thresholds of the vendor's library
  Cheapest,   ///< least time on the links
  Fixed,      ///< the user
};

struct CollectiveChoice {
  CollectiveRule rule = CollectiveRule::Published;
  CollectiveMethod fixed = CollectiveMethod::Ring;

  friend bool operator==(const CollectiveChoice& a, const CollectiveChoice& b) {
    return a.rule == b.rule && a.fixed == b.fixed;
  }
};

enum class CollectiveKind : std::uint8_t { ReduceScatter, AllGather, AllReduce };

/// `replicas` with `bytes` each. For an all-gather, `bytes` are those after it.
struct Collective {
  CollectiveKind kind;
  CollectiveMethod method;
  std::uint32_t replicas;
  Bytes bytes;
  /// The second order of a quad ring, in places of the first. Empty: the first order backwards.
  std::vector<std::uint32_t> mirror = {};
};

/// A step of a ring without payload, and the rate of one of its hops, one way. For a broadcast, the
/// rate at which a member receives while all of them send to all others.
struct RingRates {
  double step_seconds;
  double bytes_per_second;
};

/// The fragments into which the data of a replica are cut, and the bytes of one, rounded up.
std::uint32_t fragmentsOf(const Collective& collective);
Bytes fragmentBytes(const Collective& collective);

/// The time of a collective by its formula, with n replicas of D bytes, F = D / n, a step of L
/// seconds without payload and a hop of B bytes per second:
///
///   ring                (n - 1) (L + F / B)
///   two opposite rings  (n - 1) (L + F / 2B)
///   meet in the middle  (n / 2) (L + F / B)
///   quad ring           (n - 1) (L + F / 4B)
///   broadcast           L + (n - 1) F / B, and with D instead of F for an all-reduce
///
/// The formulas hold where every ring has links of its own, in each direction. An all-reduce is a
/// reduce-scatter and an all-gather, except for the broadcast, where every member gets all data and
/// sums them itself. Two replicas use one ring or a broadcast. Throws ConfigError for a ring with
/// an odd number of replicas above 1. Source: graphcore/poplibs
/// lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4) for the first three. The formula of
/// the quad ring is derived from its description.
double collectiveSeconds(const Collective& collective, const RingRates& rates);

/// The method that the vendor's library chooses for one IPU per replica: a broadcast for an
/// all-reduce of up to 2,048 bytes of all replicas together, else a ring by thresholds.
CollectiveMethod publishedMethod(CollectiveKind kind, std::uint32_t replicas, Bytes bytes);

/// A fragment that goes to a neighbour in the ring, or in a broadcast to any other member. `from`
/// and `to` are places in the ring. While data are reduced, the sender sends the sum of what it has
/// of the fragment, and the receiver adds. Fragment f ends at, or comes from, the place f modulo
/// the number of replicas. An all-reduce by broadcast has one fragment, which ends everywhere.
struct FragmentMove {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t fragment;
};

/// The moves of each exchange of a reduce-scatter or an all-gather. An all-reduce has those of a
/// reduce-scatter, then those of an all-gather; by broadcast it has one exchange.
std::vector<std::vector<FragmentMove>> collectiveMoves(const Collective& collective);

/// The time of all exchanges of a collective, one after the other, by the loads that its flows put
/// on the links. `ring` holds the IPU of each place.
double exchangesSeconds(const System& system, const Routes& routes, const Collective& collective,
                        const std::vector<std::uint32_t>& ring);

/// The method for which `seconds` is least, and the first of equals.
CollectiveMethod cheapestBy(const std::function<double(CollectiveMethod)>& seconds);

/// The flows of an exchange among IPUs: `ring` holds the IPU of each place.
std::vector<Flow> flowsOf(const std::vector<FragmentMove>& moves, const Collective& collective,
                          const std::vector<std::uint32_t>& ring);

}  // namespace ipusim::models
