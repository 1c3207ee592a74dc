// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/exchange/collective.h"

// The exchanges between IPUs in which replicas sum their gradients. Every stage has a ring through
// its replicas, and all rings move at once.

namespace ipusim::parallel {

using models::CollectiveChoice;
using models::CollectiveRule;

/// Replica r of stage s is IPU r * stages + s. `rack_replicas` consecutive replicas are in a rack.
struct ReplicaGroups {
  std::uint32_t stages;
  std::uint32_t rack_replicas;
  std::uint32_t racks;

  [[nodiscard]] std::uint32_t ipus() const { return stages * rack_replicas * racks; }
};

/// What a collective takes on the links.
struct CollectiveTime {
  models::CollectiveMethod method =
      models::CollectiveMethod::Ring;  ///< of the reduce-scatter in a rack
  std::uint64_t exchanges = 0;
  double seconds = 0;       ///< all exchanges, syncs included
  double sync_seconds = 0;  ///< the external syncs
  std::vector<Bytes> sent;  ///< one entry per stage: what an IPU sends
};

/// An all-reduce, or the reduce-scatter and all-gather around a sharded update, which move as much:
/// a reduce-scatter in each rack, an all-reduce of the shares between equal places of the racks,
/// and an all-gather in each rack. `bytes` has one entry per stage: the data of one replica. Where
/// a torus joins replicas of more than two IPUs, each exchange is split into stages / 2 exchanges,
/// each of one even and one odd IPU of the replicas, those with most bytes first.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4);
/// graphcore/popart docs/popart/tensor_locations.rst (MIT).
CollectiveTime gradientCollective(const System& system, const ReplicaGroups& groups,
                                  const std::vector<Bytes>& bytes, const CollectiveChoice& choice);

/// The sums alone, which leave a share with each replica of a rack.
CollectiveTime gradientReduction(const System& system, const ReplicaGroups& groups,
                                 const std::vector<Bytes>& bytes, const CollectiveChoice& choice);

/// The all-gather alone, in which the replicas of each rack hand their shares to one another.
CollectiveTime shareGather(const System& system, const ReplicaGroups& groups,
                           const std::vector<Bytes>& bytes, const CollectiveChoice& choice);

}  // namespace ipusim::parallel
