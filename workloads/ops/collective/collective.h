// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/exchange/collective_plan.h"
#include "workloads/ops/collective/fragments.h"

// Exchanges in which all members of a group take part. A plan says which of them form rings, by
// their numbers in the group. All functions add copies, buffers and vertices to `graph`, and return
// the steps.

namespace ipusim::workloads {

/// Elements [begin, end) of a member.
struct ElementRange {
  std::ptrdiff_t begin;
  std::ptrdiff_t end;
};

/// The elements that each member has at the end of a reduce-scatter, or at the beginning of an
/// all-gather: its own part. One entry per member.
using OwnRanges = std::vector<std::vector<ElementRange>>;
OwnRanges ownRanges(const Graph& graph, const Group& group, const models::CollectivePlan& plan);
/// The elements of `ranges`, one range after the other, as one tensor.
Tensor partOf(const Tensor& member, const std::vector<ElementRange>& ranges);

/// Sums the members of each group of the plan element by element. The own part of each member then
/// holds the sum over its group, and the rest of the member holds sums over some of them.
Program reduceScatter(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                      const std::string& name);
/// Brings the own part of each member to all others of its group.
Program allGather(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                  const std::string& name);
/// A reduce-scatter, then an all-gather: all members then hold the sum over their group.
Program allReduce(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                  const std::string& name);

/// Copies that all run in one exchange per entry. The steps of groups that copy at once are joined.
using CopySteps = std::vector<std::vector<CopyPair>>;

/// Copies `from` to all of `to`, in one exchange.
CopySteps broadcast(const Tensor& from, const Group& to);
/// Copies member m of `from` to member targets[m] of `to`, in one exchange.
CopySteps permute(const Group& from, const Group& to, const std::vector<std::uint32_t>& targets);
/// Slice s of member m goes to slice m of member s. A slice is one of as many equal parts of the
/// elements as there are members. In round r, which is an exchange, member m sends to member m + r,
/// modulo the members. Throws GraphError, which names the collective, where there are no such
/// parts.
/// Source: graphcore/poplibs lib/popops/ReplicatedCollectives.cpp (MIT, sdk-release-1.4).
CopySteps allToAll(const Group& from, const Group& to, const std::string& name);

/// Adds the copies to the graph.
Program copySteps(Graph& graph, const CopySteps& steps, const std::string& name);

}  // namespace ipusim::workloads
