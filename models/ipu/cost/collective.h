// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ipusim/units.h"
#include "models/ipu/cost/links.h"

namespace ipusim::models {

/// How replicas in a ring share their data.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4);
/// Graphcore's GCL user guide, section 3.4.
enum class CollectiveMethod : std::uint8_t {
  Ring,             ///< n fragments, all in one direction
  OppositeRings,    ///< 2n fragments, half of them in each direction
  MeetInTheMiddle,  ///< n fragments, each half-way round in either direction
};

inline constexpr std::array kCollectiveMethods = {
    CollectiveMethod::Ring, CollectiveMethod::OppositeRings, CollectiveMethod::MeetInTheMiddle};

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
};

/// A step of a ring without payload, and the rate of one of its hops, one way.
struct RingRates {
  double step_seconds;
  double bytes_per_second;
};

/// The fragments into which the data of a replica are cut, and the bytes of one, rounded up.
std::uint32_t fragmentsOf(const Collective& collective);
Bytes fragmentBytes(const Collective& collective);

/// The time of a collective by its formula, with n replicas, fragments of F bytes (half as many in
/// two rings), a step of L seconds without payload and a hop of B bytes per second:
///
///   ring                (n - 1) (L + F / B)
///   two opposite rings  (n - 1) (L + F / 2B)
///   meet in the middle  (n / 2) (L + F / B)
///
/// An all-reduce is a reduce-scatter and an all-gather. Two replicas always use one ring. Throws
/// ConfigError for an odd number of replicas above 1.
double collectiveSeconds(const Collective& collective, const RingRates& rates);

/// The method that the vendor's library chooses for one IPU per replica.
CollectiveMethod publishedMethod(CollectiveKind kind, std::uint32_t replicas, Bytes bytes);

/// The replicas of a ladder in the order of the ring: up the even rail, down the odd one.
std::vector<std::uint32_t> ladderRing(std::uint32_t replicas);

/// A fragment that goes to a neighbour in the ring. `from` and `to` are places in the ring. While
/// data are reduced, the sender sends the sum of what it has of the fragment, and the receiver
/// adds. Fragment f ends at, or comes from, the place f modulo the number of replicas.
struct FragmentMove {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t fragment;
};

/// The moves of each exchange of a reduce-scatter or an all-gather. An all-reduce has those of a
/// reduce-scatter, then those of an all-gather.
std::vector<std::vector<FragmentMove>> collectiveMoves(const Collective& collective);

/// The time of all exchanges of a collective, one after the other, by the loads that its flows put
/// on the links. `ring` holds the IPU of each place.
double exchangesSeconds(const Pod& pod, const Routes& routes, const Collective& collective,
                        const std::vector<std::uint32_t>& ring);

/// The method for which `seconds` is least, and the first of equals.
CollectiveMethod cheapestBy(const std::function<double(CollectiveMethod)>& seconds);

/// The method whose exchanges take least.
CollectiveMethod cheapestMethod(const Pod& pod, CollectiveKind kind, Bytes bytes,
                                const std::vector<std::uint32_t>& ring);

/// The flows of an exchange among IPUs: `ring` holds the IPU of each place.
std::vector<Flow> flowsOf(const std::vector<FragmentMove>& moves, const Collective& collective,
                          const std::vector<std::uint32_t>& ring);

}  // namespace ipusim::models
