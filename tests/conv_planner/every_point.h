// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/search.h"
#include "workloads/ops/conv/planner/splits.h"
#include "workloads/ops/conv/planner/training.h"

// Plans by trying everything.

namespace ipusim::workloads {

constexpr Bytes kNoBytesBound(std::numeric_limits<std::uint64_t>::max());

/// Calls `act` with each partition of `candidate` that the rules allow.
template <typename Act>
class EveryPartition {
 public:
  EveryPartition(const Machine& machine, const ConvCandidate& candidate, const Act& act)
      : machine_(machine), candidate_(candidate), act_(act) {
    splitDim(ConvPartition{}, 0);
  }

 private:
  static constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

  void splitDim(ConvPartition partition, std::uint32_t dim) {
    if (partition.tiles() > machine_.tiles) return;
    if (dim == kMaxFieldDims) {
      splitRest(partition);
      return;
    }
    const CandidateDim& d = candidate_.dims.at(dim);
    const std::uint64_t kernel = dim + 1 < candidate_.dim_count ? d.kernel : 1;
    for (const std::uint32_t field : usefulSplits(d.outputGrains(), machine_.tiles)) {
      for (const std::uint32_t part : usefulSplits(kernel, machine_.tiles)) {
        partition.field.at(dim) = field;
        partition.kernel.at(dim) = part;
        splitDim(partition, dim + 1);
      }
    }
  }

  void splitRest(ConvPartition partition) {
    for (const std::uint32_t batch : usefulSplits(candidate_.batch, machine_.tiles)) {
      for (const std::uint32_t groups : usefulSplits(candidate_.groupGrains(), machine_.tiles)) {
        partition.batch = batch;
        partition.conv_groups = groups;
        splitChans(partition);
      }
    }
  }

  void splitChans(ConvPartition partition) {
    for (const SplitPair& in : splitPairs(candidate_.inGrains(), {kNoLimit, kNoLimit})) {
      for (const SplitPair& out : splitPairs(candidate_.outGrains(), {kNoLimit, kNoLimit})) {
        partition.in_chans = in.parallel;
        partition.in_chans_serial = in.serial;
        partition.out_chans = out.parallel;
        partition.out_chans_serial = out.serial;
        if (isAllowed(partition)) act_(partition);
      }
    }
  }

  [[nodiscard]] bool isAllowed(const ConvPartition& partition) const {
    if (candidate_.joint && (partition.in_chans_serial > 1 || partition.out_chans > 1)) {
      return false;
    }
    return partition.tiles() <= machine_.tiles &&
           std::min(partition.in_chans_serial, partition.out_chans_serial) == 1 &&
           partition.in_chans_serial <= candidate_.most_in_steps &&
           partition.out_chans_serial <= candidate_.most_out_steps &&
           takes(candidate_, shareOf(candidate_, partition));
  }

  const Machine& machine_;
  const ConvCandidate& candidate_;
  const Act& act_;
};

/// Calls `act` with each point of `candidate` that the rules allow, and with the terms of that.
template <typename Act>
void forEachPoint(const Machine& machine, const ConvCandidate& candidate, const Act& act) {
  const auto act_on = [&](const ConvPoint& point) {
    const ConvTerms terms = convTerms(machine, candidate, point);
    const std::uint64_t most =
        point.partition.tiles() * terms.partial_calc.value() * point.partition.steps();
    const bool too_fast = candidate.multiply_adds / candidate.multiply_rate > most;
    if (!too_fast) act(point, terms);
  };
  const auto act_on_both = [&](const ConvPartition& partition) {
    act_on({partition});
    if (partition.out_chans_serial > 1) act_on({partition, ConvBroadcast::BeforeLoop});
  };
  EveryPartition(machine, candidate, act_on_both);
}

using PointCost = std::pair<Cycles, Bytes>;

constexpr PointCost kNoPoint{Cycles(std::numeric_limits<std::uint64_t>::max()), kNoBytesBound};

/// Whether `a` is better for the goal.
inline bool isBetter(const PointCost& a, const PointCost& b, PlanGoal goal) {
  if (goal == PlanGoal::LeastMemory && a.second != b.second) return a.second < b.second;
  return a < b;
}

/// The best cost of all points within the bound.
inline PointCost bestOfAll(const Machine& machine, const std::vector<ConvCandidate>& candidates,
                           Bytes bound, PlanGoal goal = PlanGoal::FewestCycles) {
  PointCost best = kNoPoint;
  for (const ConvCandidate& candidate : candidates) {
    forEachPoint(machine, candidate, [&](const ConvPoint& point, const ConvTerms& terms) {
      PlanCost cost{terms.total(point.partition.steps()), terms.temp()};
      if (candidate.joint) addGradientPasses(machine, candidate, point, cost);
      const PointCost found{cost.cycles, cost.temp};
      if (cost.temp <= bound && isBetter(found, best, goal)) best = found;
    });
  }
  return best;
}

/// The cost of what the search finds.
inline PointCost bestFound(const Machine& machine, const std::vector<ConvCandidate>& candidates,
                           Bytes bound, PlanGoal goal = PlanGoal::FewestCycles) {
  const auto found = searchConvPlan(machine, candidates, bound, goal);
  return found ? PointCost{found->cycles, found->temp} : kNoPoint;
}

}  // namespace ipusim::workloads
