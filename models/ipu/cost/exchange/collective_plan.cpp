// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/collective_plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::models {

namespace {

using Members = std::vector<std::uint32_t>;

std::uint32_t rackOf(const System& system, std::uint32_t ipu) {
  return ipu / std::min(system.rack_ipus, system.ipus);
}

/// The members of a group by racks.
std::vector<Members> cutAtRacks(const System& system, const Members& group) {
  std::map<std::uint32_t, Members> by_rack;
  for (const std::uint32_t ipu : group) by_rack[rackOf(system, ipu)].push_back(ipu);
  std::vector<Members> parts;
  parts.reserve(by_rack.size());
  for (auto& [rack, members] : by_rack) parts.push_back(std::move(members));
  return parts;
}

/// Whether the parts of groups in racks are a level of their own. All groups must be cut alike.
/// Gateway links join racks of a regular system alone.
bool haveRackLevels(const System& system, const std::vector<std::vector<Members>>& groups) {
  const std::vector<Members>& first = groups.front();
  if (system.route != RouteRule::Ladder || first.size() == 1) return false;
  const auto is_alike = [&](const Members& part) { return part.size() == first.front().size(); };
  return std::all_of(groups.begin(), groups.end(), [&](const std::vector<Members>& parts) {
    return parts.size() == first.size() && std::all_of(parts.begin(), parts.end(), is_alike);
  });
}

class Planner {
 public:
  Planner(const System& system, const CollectiveTask& task)
      : system_(system), task_(task), groups_(membersOf(task.groups)) {
    for (const Members& group : groups_) parts_.push_back(cutAtRacks(system, group));
    if (haveRackLevels(system, parts_)) return;
    for (std::size_t g = 0; g < groups_.size(); ++g) parts_[g] = {groups_[g]};
  }

  [[nodiscard]] CollectivePlan plan(CollectiveMethod method) const {
    CollectivePlan plan;
    if (parts_.front().front().size() > 1 || parts_.front().size() == 1) {
      plan.push_back(inRacks(method));
    }
    if (parts_.front().size() > 1) plan.push_back(betweenRacks(method));
    return plan;
  }

  [[nodiscard]] bool hasOddRings() const {
    const std::size_t size = parts_.front().front().size();
    return size > 1 && size % 2 == 1;
  }

  /// The method that the vendor's library has in a rack. Groups whose members are apart are like
  /// replicas of several IPUs.
  [[nodiscard]] CollectiveMethod published() const {
    const auto size = static_cast<std::uint32_t>(parts_.front().front().size());
    const CollectiveMethod method = publishedMethod(task_.kind, size, task_.bytes);
    if (task_.groups.stride == 1 || size <= 2 || method == CollectiveMethod::Broadcast) {
      return method;
    }
    return isTorus(system_) ? CollectiveMethod::MeetInTheMiddle : CollectiveMethod::Ring;
  }

 private:
  [[nodiscard]] RingLevel inRacks(CollectiveMethod method) const {
    const std::uint32_t stride = task_.groups.stride;
    const bool takes_turns = isTorus(system_) && stride > 2;
    RingLevel level{method,
                    std::vector<std::vector<LevelRing>>(takes_turns ? (stride + 1) / 2 : 1)};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::size_t turn = g % stride / 2 % level.turns.size();
      for (const Members& part : parts_[g]) {
        IpuRing ring = ringThrough(system_, part, method);
        level.mirror = std::move(ring.mirror);
        level.turns[turn].push_back({std::move(ring.ipus)});
      }
    }
    return level;
  }

  /// The rings through equal places of the rings in racks. `method` is that in racks.
  [[nodiscard]] RingLevel betweenRacks(CollectiveMethod method) const {
    const bool is_even = parts_.front().size() % 2 == 0;
    RingLevel level{is_even ? CollectiveMethod::Ring : CollectiveMethod::Broadcast, {{}}};
    for (const std::vector<Members>& parts : parts_) {
      std::vector<Members> rings;
      rings.reserve(parts.size());
      for (const Members& part : parts) {
        rings.push_back(ringThrough(system_, part, method).ipus);
      }
      for (std::uint32_t place = 0; place < rings.front().size(); ++place) {
        LevelRing between{{}, place};
        for (const Members& ring : rings) between.members.push_back(ring[place]);
        level.turns.front().push_back(std::move(between));
      }
    }
    return level;
  }

  const System& system_;
  const CollectiveTask& task_;
  std::vector<Members> groups_;
  std::vector<std::vector<Members>> parts_;  ///< one entry per group: its members, rack by rack
};

}  // namespace

std::vector<std::vector<std::uint32_t>> membersOf(const MemberGroups& groups) {
  const std::uint32_t block = groups.size * groups.stride;
  check(block > 0 && groups.members % block == 0, "groups that do not cover all members");
  std::vector<Members> all;
  for (std::uint32_t first = 0; first < groups.members; first += block) {
    for (std::uint32_t r = 0; r < groups.stride; ++r) {
      Members& group = all.emplace_back();
      for (std::uint32_t m = 0; m < groups.size; ++m)
        group.push_back(first + r + m * groups.stride);
    }
  }
  return all;
}

CollectivePlan oneRing(std::uint32_t members, CollectiveMethod method) {
  return {{method, {{{consecutiveIpus(0, members)}}}}};
}

std::vector<CollectivePass> passesOf(const CollectivePlan& plan, CollectiveKind kind) {
  const bool sums_at_members =
      plan.size() == 1 && plan.front().method == CollectiveMethod::Broadcast;
  if (kind == CollectiveKind::AllReduce && sums_at_members) return {{0, kind}};
  std::vector<CollectivePass> passes;
  if (kind != CollectiveKind::AllGather) {
    for (std::size_t l = 0; l < plan.size(); ++l) {
      passes.push_back({l, CollectiveKind::ReduceScatter});
    }
  }
  if (kind != CollectiveKind::ReduceScatter) {
    for (std::size_t l = plan.size(); l-- > 0;) passes.push_back({l, CollectiveKind::AllGather});
  }
  return passes;
}

Collective collectiveOf(const CollectivePlan& plan, const CollectivePass& pass, Bytes bytes) {
  const RingLevel& level = plan[pass.level];
  const std::uint64_t shares = pass.level == 0 ? 1 : plan.front().ringSize();
  return {pass.kind, level.method, level.ringSize(), Bytes(ceilDiv(bytes.value(), shares)),
          level.mirror};
}

CollectivePlan planCollective(const System& system, const CollectiveTask& task,
                              const CollectiveChoice& choice) {
  const Planner planner(system, task);
  if (choice.rule == CollectiveRule::Fixed) return planner.plan(choice.fixed);
  if (choice.rule == CollectiveRule::Published) return planner.plan(planner.published());
  // An odd number of IPUs has no ring.
  if (planner.hasOddRings()) return planner.plan(CollectiveMethod::Broadcast);
  return planner.plan(cheapestBy(
      [&](CollectiveMethod method) { return planSeconds(system, planner.plan(method), task); }));
}

double planSeconds(const System& system, const CollectivePlan& plan, const CollectiveTask& task) {
  const Routes routes(system);
  double seconds = 0;
  for (const CollectivePass& pass : passesOf(plan, task.kind)) {
    const Collective collective = collectiveOf(plan, pass, task.bytes);
    for (const auto& moves : collectiveMoves(collective)) {
      for (const std::vector<LevelRing>& turn : plan[pass.level].turns) {
        std::vector<Flow> flows;
        for (const LevelRing& ring : turn) {
          const std::vector<Flow> more = flowsOf(moves, collective, ring.members);
          flows.insert(flows.end(), more.begin(), more.end());
        }
        seconds += globalExchangeSeconds(system, routes, flows, system.ipus);
      }
    }
  }
  return seconds;
}

}  // namespace ipusim::models
