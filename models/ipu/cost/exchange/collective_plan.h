// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/ipu/cost/exchange/ring_order.h"

// A collective among groups of members: which rings move at once, and in which order. The members
// are IPUs, or replicas with such numbers.

namespace ipusim::models {

/// Groups of `size` members that are `stride` apart. All groups together have every member of
/// `members`, which is a multiple of size * stride. Source: graphcore/popart
/// willow/include/popart/replicagrouping.hpp (MIT).
struct MemberGroups {
  std::uint32_t members;
  std::uint32_t size;
  std::uint32_t stride;
};
/// The members of each group, sorted.
std::vector<std::vector<std::uint32_t>> membersOf(const MemberGroups& groups);

/// One ring of a level.
struct LevelRing {
  std::vector<std::uint32_t> members;  ///< in the order of the ring
  /// The place that all of them have in the rings of the level before, whose part they share here.
  std::uint32_t part = 0;
};

/// Rings that move together.
struct RingLevel {
  CollectiveMethod method;
  /// The rings of a turn move in one exchange. Turns of one step follow one another.
  std::vector<std::vector<LevelRing>> turns;
  std::vector<std::uint32_t> mirror = {};  ///< of all rings, as in Collective

  [[nodiscard]] std::uint32_t ringSize() const {
    return static_cast<std::uint32_t>(turns.front().front().members.size());
  }
};

/// The levels of a collective, of which there are one or two: inside racks, then between racks. A
/// reduce-scatter goes through them in this order, an all-gather in the opposite one.
using CollectivePlan = std::vector<RingLevel>;

/// One ring of members 0, 1, 2 and so on.
CollectivePlan oneRing(std::uint32_t members, CollectiveMethod method);

/// A part of a collective: what a level does.
struct CollectivePass {
  std::size_t level;
  CollectiveKind kind;
};
std::vector<CollectivePass> passesOf(const CollectivePlan& plan, CollectiveKind kind);

/// What a pass is to one ring, where a member has `bytes` of the whole collective.
Collective collectiveOf(const CollectivePlan& plan, const CollectivePass& pass, Bytes bytes);

/// What a collective among groups of IPUs is to do.
struct CollectiveTask {
  MemberGroups groups;  ///< of all IPUs of a system
  CollectiveKind kind;
  Bytes bytes;  ///< of an IPU; for an all-gather, those after it
};

/// The rings of a collective on a system:
///
/// * A group with equally many members in several racks has two levels: a reduce-scatter in each
///   rack, a collective of the shares between equal places of the racks, and an all-gather in each
///   rack. Gateway links join equal places.
/// * Groups whose members are k > 2 IPUs apart pass through one another's IPUs. On a torus each
///   step is then split into k / 2 exchanges, each of one even and one odd group.
/// * `choice` chooses the method in a rack. Between an even number of racks there is one ring,
///   between an odd number a broadcast.
///
/// Throws ConfigError for a ring with an odd number of members above 1.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4);
/// graphcore/popart docs/popart/tensor_locations.rst (MIT).
CollectivePlan planCollective(const System& system, const CollectiveTask& task,
                              const CollectiveChoice& choice);

/// The time of all exchanges of a plan, one after the other, by the loads of the links.
double planSeconds(const System& system, const CollectivePlan& plan, const CollectiveTask& task);

}  // namespace ipusim::models
