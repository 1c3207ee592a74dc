// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/collective.h"
#include "workloads/ops/collective/fragments.h"

// Exchanges in which all members of a group take part. The members of a ring are given in its
// order: models::ladderRing() for one member per IPU of a ladder. All functions add copies, buffers
// and vertices to `graph`, and return the steps.

namespace ipusim::workloads {

/// Elements [begin, end) of a member.
struct ElementRange {
  std::ptrdiff_t begin;
  std::ptrdiff_t end;
};

/// The elements of a member that it has at the end of a reduce-scatter, or at the beginning of an
/// all-gather: its own part. `place` is that of the member in the ring.
std::vector<ElementRange> ownRanges(const Graph& graph, const Group& ring,
                                    models::CollectiveMethod method, std::uint32_t place);
/// The elements of `ranges`, one range after the other, as one tensor.
Tensor partOf(const Tensor& member, const std::vector<ElementRange>& ranges);

/// Sums the members element by element. The own part of each member then holds the sum over all
/// members, and the rest of the member holds sums over some of them.
Program reduceScatter(Graph& graph, const Group& ring, models::CollectiveMethod method,
                      const std::string& name);
/// Brings the own part of each member to all others.
Program allGather(Graph& graph, const Group& ring, models::CollectiveMethod method,
                  const std::string& name);
/// A reduce-scatter, then an all-gather: all members then hold the sum.
Program allReduce(Graph& graph, const Group& ring, models::CollectiveMethod method,
                  const std::string& name);

/// Copies `from` to all of `to`, in one exchange.
Program broadcast(Graph& graph, const Tensor& from, const Group& to, const std::string& name);
/// Copies member m of `from` to member targets[m] of `to`, in one exchange.
Program permute(Graph& graph, const Group& from, const Group& to,
                const std::vector<std::uint32_t>& targets, const std::string& name);
/// Slice s of member m goes to slice m of member s. A slice is one of as many equal parts of the
/// elements as there are members. In round r, which is an exchange, member m sends to member m + r,
/// modulo the members.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4).
Program allToAll(Graph& graph, const Group& from, const Group& to, const std::string& name);

}  // namespace ipusim::workloads
