// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/collective.h"

#include <fmt/format.h>

#include "ipusim/error.h"
#include "workloads/ops/collective/lowering.h"

namespace ipusim::workloads {

using models::CollectiveKind;

namespace {

void expectMembers(const Group& group, std::size_t members, const std::string& name) {
  if (group.size() == members) return;
  throw GraphError(fmt::format("{}: wanted {} members, found {}", name, members, group.size()));
}

}  // namespace

OwnRanges ownRanges(const Graph& graph, const Group& group, const models::CollectivePlan& plan) {
  const LevelFragments fragments(graph, group, plan, CollectiveKind::ReduceScatter, "own part");
  const std::size_t last = plan.size() - 1;
  const std::uint32_t size = plan[last].ringSize();
  OwnRanges own(group.size());
  for (const auto& turn : plan[last].turns) {
    for (const models::LevelRing& ring : turn) {
      for (std::uint32_t place = 0; place < size; ++place) {
        for (const FragmentPiece& piece : fragments.of(last, ring.part).piecesAt(place, size)) {
          const auto begin = static_cast<std::ptrdiff_t>(piece.begin);
          own[ring.members[place]].push_back(
              {begin, begin + static_cast<std::ptrdiff_t>(piece.elements)});
        }
      }
    }
  }
  return own;
}

Tensor partOf(const Tensor& member, const std::vector<ElementRange>& ranges) {
  const Tensor flat = member.reshape({member.elements()});
  std::vector<Tensor> parts;
  parts.reserve(ranges.size());
  for (const auto& [begin, end] : ranges) {
    parts.push_back(
        flat.slice(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), 0));
  }
  return concat(parts, 0);
}

Program reduceScatter(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                      const std::string& name) {
  return CollectiveLowering(graph, group, plan, name).run(CollectiveKind::ReduceScatter);
}

Program allGather(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                  const std::string& name) {
  return CollectiveLowering(graph, group, plan, name).run(CollectiveKind::AllGather);
}

Program allReduce(Graph& graph, const Group& group, const models::CollectivePlan& plan,
                  const std::string& name) {
  return CollectiveLowering(graph, group, plan, name).run(CollectiveKind::AllReduce);
}

CopySteps broadcast(const Tensor& from, const Group& to) {
  CopySteps steps(1);
  for (const Tensor& member : to) steps.front().push_back({from, member});
  return steps;
}

CopySteps permute(const Group& from, const Group& to, const std::vector<std::uint32_t>& targets) {
  CopySteps steps(1);
  for (std::size_t m = 0; m < from.size(); ++m) {
    steps.front().push_back({from[m], to.at(targets.at(m))});
  }
  return steps;
}

CopySteps allToAll(const Group& from, const Group& to, const std::string& name) {
  const std::size_t members = from.size();
  expectMembers(to, members, name);
  const std::uint64_t each = from.front().elements() / members;
  if (each * members != from.front().elements()) {
    throw GraphError(fmt::format("{}: wanted a multiple of {} elements, found {}", name, members,
                                 from.front().elements()));
  }
  const auto slice = [each](const Tensor& tensor, std::size_t number) {
    return tensor.reshape({tensor.elements()}).slice(number * each, (number + 1) * each, 0);
  };
  CopySteps steps(members);
  for (std::size_t round = 0; round < members; ++round) {
    for (std::size_t m = 0; m < members; ++m) {
      const std::size_t target = (m + round) % members;
      steps[round].push_back({slice(from[m], target), slice(to[target], m)});
    }
  }
  return steps;
}

Program copySteps(Graph& graph, const CopySteps& steps, const std::string& name) {
  Program program;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    program.add(
        graph.copy(steps[s], steps.size() == 1 ? name : fmt::format("{}/Round{}", name, s)));
  }
  return program;
}

}  // namespace ipusim::workloads
