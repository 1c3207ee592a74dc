// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_search.h"

#include <algorithm>
#include <array>
#include <limits>

#include "workloads/ops/matmul/plan_estimate.h"
#include "workloads/ops/matmul/plan_rearrange.h"
#include "workloads/ops/matmul/plan_splits.h"
#include "workloads/ops/matmul/plan_training.h"
#include "workloads/ops/matmul/plan_vertex.h"

namespace ipusim::workloads {
namespace {

using models::ReductionDepths;

constexpr std::uint32_t kAnySteps = std::numeric_limits<std::uint32_t>::max();

struct Cost {
  Cycles cycles;
  Bytes temp;
};

bool better(const Cost& a, const Cost& b, PlanGoal goal) {
  if (goal == PlanGoal::LeastMemory && a.temp != b.temp) return a.temp < b.temp;
  if (a.cycles != b.cycles) return a.cycles < b.cycles;
  return a.temp < b.temp;
}

std::uint32_t atMost(std::uint64_t count, std::uint32_t limit) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, limit));
}

/// The least that a tile has in a step, however the field is split.
struct LeastShare {
  std::uint64_t groups;
  std::uint64_t field;
  std::uint64_t in_chans;
  std::uint64_t out_chans;
};

/// One search. It tries splits from the one that changes slowest, conv groups, to the fastest,
/// field.
class Search {
 public:
  Search(const Architecture& machine, Bytes bound, PlanGoal goal)
      : machine_(machine), bound_(bound), goal_(goal) {}

  void tryCandidate(const PlanCandidate& candidate);
  [[nodiscard]] const std::optional<FoundPlan>& best() const { return best_; }

 private:
  void tryInChans(std::uint32_t conv_groups);
  void tryOutChans(const SplitPair& in, MatmulPartition partition);
  void tryField(const ReductionDepths& depths, const MatmulPartition& partition);
  void tryPoint(const ReductionDepths& depths, const PlanPoint& point);
  [[nodiscard]] std::uint64_t groupsPerTile(std::uint32_t conv_groups) const;
  [[nodiscard]] bool isJoint() const { return candidate_->training == TrainingPlan::Joint; }
  [[nodiscard]] bool tooSlow(Cycles floor) const;
  [[nodiscard]] bool tooSlow(std::uint32_t conv_groups, const SplitPair& in) const;
  [[nodiscard]] bool tooBig(std::uint32_t conv_groups, const SplitPair& in) const;
  [[nodiscard]] bool hopeless(const LeastShare& share, std::uint32_t steps) const;
  [[nodiscard]] bool hopeless(const MatmulPartition& partition) const;
  [[nodiscard]] Cost costOf(const ReductionDepths& depths, const PlanPoint& point) const;
  [[nodiscard]] Cost jointCost(const ReductionDepths& depths, const PlanPoint& point) const;

  const Architecture& machine_;
  Bytes bound_;
  PlanGoal goal_;
  const PlanCandidate* candidate_ = nullptr;
  MultiplyRate rate_{};
  Cycles step_floor_;
  std::vector<std::uint32_t> field_splits_;
  std::vector<SplitPair> in_splits_;
  std::vector<SplitPair> out_splits_;
  std::optional<FoundPlan> best_;
};

void Search::tryCandidate(const PlanCandidate& candidate) {
  candidate_ = &candidate;
  const ConvSizes& conv = candidate.conv;
  const std::uint32_t tiles = machine_.tiles;
  rate_ = multiplyRate(machine_, candidate);
  step_floor_ = planStepFloor(machine_, candidate);
  const std::uint64_t multiplies = conv.groups * conv.field * conv.in_chans * conv.out_chans;
  if (tooSlow(rate_.floorFor(multiplies / tiles))) return;
  if (rearranged(machine_, candidate, tiles).held() > bound_) return;
  field_splits_ = usefulSplits(candidate.fieldGrains(), tiles);
  const std::uint32_t steps = candidate.serial == SerialSplits::Allowed ? kAnySteps : 1;
  // The passes of a joint plan do not loop over in channels.
  in_splits_ = splitPairs(candidate.inGroups(),
                          {tiles, isJoint() ? 1 : atMost(candidate.mostInSteps(), steps)});
  out_splits_ = splitPairs(candidate.outGroups(),
                           {isJoint() ? 1 : tiles, atMost(candidate.mostOutSteps(), steps)});
  for (const std::uint32_t groups : usefulSplits(candidate.convGroupGrains(), tiles)) {
    tryInChans(groups);
  }
}

void Search::tryInChans(std::uint32_t conv_groups) {
  for (const SplitPair& in : in_splits_) {
    if (conv_groups * in.parallel > machine_.tiles || !candidate_->takesInGroups(in.grains))
      continue;
    if (tooSlow(conv_groups, in) || tooBig(conv_groups, in)) continue;
    MatmulPartition partition;
    partition.conv_groups = conv_groups;
    partition.in_chans = in.parallel;
    partition.in_chans_serial = in.serial;
    partition.field_grain = candidate_->field_grain;
    tryOutChans(in, partition);
  }
}

void Search::tryOutChans(const SplitPair& in, MatmulPartition partition) {
  const ReductionDepths depths = models::reductionDepths(in.parallel);
  const std::uint32_t left = machine_.tiles / (partition.conv_groups * in.parallel);
  const std::uint64_t groups = groupsPerTile(partition.conv_groups);
  const std::uint64_t in_chans = in.grains * candidate_->method.in_chans_per_group;
  for (const SplitPair& out : out_splits_) {
    if (out.parallel > left || !candidate_->takesOutGroups(out.grains) ||
        (out.serial > 1 && in.serial > 1))
      continue;
    const std::uint64_t out_chans = out.grains * candidate_->method.partial_chans_per_group;
    const auto grains = ceilDiv<std::uint64_t>(candidate_->fieldGrains(), left / out.parallel);
    const std::uint64_t field = grains * candidate_->field_grain;
    if (hopeless({groups, field, in_chans, out_chans}, in.serial * out.serial)) continue;
    partition.out_chans = out.parallel;
    partition.out_chans_serial = out.serial;
    tryField(depths, partition);
  }
}

void Search::tryField(const ReductionDepths& depths, const MatmulPartition& partition) {
  const std::uint32_t left =
      machine_.tiles / (partition.conv_groups * partition.in_chans * partition.out_chans);
  const auto end = std::upper_bound(field_splits_.begin(), field_splits_.end(), left);
  // When a split is hopeless, every coarser one is too, so the search begins with the finest.
  PlanPoint point{partition, InputBroadcast::EachStep};
  auto first = end;
  while (first != field_splits_.begin()) {
    point.partition.field = *(first - 1);
    if (hopeless(point.partition)) break;
    --first;
  }
  for (auto split = first; split != end; ++split) {
    point.partition.field = *split;
    point.broadcast = InputBroadcast::EachStep;
    tryPoint(depths, point);
    if (partition.out_chans_serial == 1) continue;
    point.broadcast = InputBroadcast::BeforeLoop;
    tryPoint(depths, point);
  }
}

std::uint64_t Search::groupsPerTile(std::uint32_t conv_groups) const {
  return ceilDiv<std::uint64_t>(candidate_->convGroupGrains(), conv_groups) *
         candidate_->method.conv_groups_per_group;
}

/// True when no split of the other dimensions can beat the best plan.
bool Search::tooSlow(std::uint32_t conv_groups, const SplitPair& in) const {
  if (in.serial > 1 && tooSlow(step_floor_ * in.serial)) return true;
  const ConvSizes& conv = candidate_->conv;
  const std::uint64_t tiles = machine_.tiles / (conv_groups * in.parallel);
  const std::uint64_t outputs = ceilDiv(conv.field * conv.out_chans, tiles);
  const std::uint64_t groups = groupsPerTile(conv_groups);
  const auto in_chans = ceilDiv<std::uint64_t>(conv.in_chans, in.parallel);
  return tooSlow(rate_.floorFor(outputs * groups * in_chans));
}

/// True when no split of the other dimensions stays within the bound. Inputs are always held; a
/// loop over in channels holds the whole result instead.
bool Search::tooBig(std::uint32_t conv_groups, const SplitPair& in) const {
  const ConvSizes& conv = candidate_->conv;
  const std::uint64_t tiles = machine_.tiles / (conv_groups * in.parallel);
  const std::uint64_t groups = groupsPerTile(conv_groups);
  if (in.serial > 1) {
    const std::uint64_t outputs = ceilDiv(conv.field * conv.out_chans, tiles) * groups;
    return sizeOf(candidate_->method.partials) * outputs > bound_;
  }
  const auto in_chans = ceilDiv<std::uint64_t>(conv.in_chans, in.parallel);
  return sizeOf(candidate_->input) * (ceilDiv(conv.field, tiles) * in_chans * groups) > bound_;
}

/// True when a plan of at least `floor` cycles cannot beat the best one.
bool Search::tooSlow(Cycles floor) const {
  return best_ && goal_ == PlanGoal::FewestCycles && floor > best_->cycles;
}

/// True when the least that a tile has is too much or takes too long.
bool Search::hopeless(const LeastShare& share, std::uint32_t steps) const {
  if (steps > 1 && tooSlow(step_floor_ * steps)) return true;
  const Bytes operands =
      sizeOf(candidate_->input) * share.in_chans * (share.field + share.out_chans);
  const Bytes partials = sizeOf(candidate_->method.partials) * share.field * share.out_chans;
  if ((operands + partials) * share.groups > bound_) return true;
  const std::uint64_t multiplies = share.field * share.in_chans * share.out_chans * share.groups;
  return tooSlow(rate_.floorFor(multiplies) * steps);
}

/// True when `partition` and every coarser split of its field need too much memory or are slower
/// than the best plan.
bool Search::hopeless(const MatmulPartition& partition) const {
  if (best_ && goal_ == PlanGoal::FewestCycles &&
      planCyclesFloor(machine_, *candidate_, partition) > best_->cycles) {
    return true;
  }
  const auto temp = [&](InputBroadcast broadcast) {
    return planTempBytes(machine_, *candidate_, {partition, broadcast});
  };
  return temp(InputBroadcast::EachStep) > bound_ &&
         (partition.out_chans_serial == 1 || temp(InputBroadcast::BeforeLoop) > bound_);
}

void Search::tryPoint(const ReductionDepths& depths, const PlanPoint& point) {
  const Cost cost = isJoint() ? jointCost(depths, point) : costOf(depths, point);
  if (cost.temp > bound_) return;
  if (best_ && !better(cost, {best_->cycles, best_->temp}, goal_)) return;
  best_ = FoundPlan{*candidate_, point, cost.cycles, cost.temp};
  if (goal_ == PlanGoal::LeastMemory) bound_ = cost.temp;
}

Cost Search::costOf(const ReductionDepths& depths, const PlanPoint& point) const {
  const PlanTerms terms = planTerms(machine_, *candidate_, point, depths);
  return {terms.total(point.partition.steps()), planTempBytes(machine_, *candidate_, point)};
}

Cost Search::jointCost(const ReductionDepths& depths, const PlanPoint& point) const {
  Cost cost = costOf(depths, point);
  for (const MatmulPass pass : {MatmulPass::TrainingBwd, MatmulPass::TrainingWu}) {
    const PlanCandidate candidate = jointCandidateOf(machine_, *candidate_, pass);
    const PlanPoint other = jointPointOf(point, pass);
    const ReductionDepths other_depths = models::reductionDepths(other.partition.in_chans);
    cost.cycles +=
        planTerms(machine_, candidate, other, other_depths).total(other.partition.steps());
    cost.temp = std::max(cost.temp, planTempBytes(machine_, candidate, other));
  }
  return cost;
}

}  // namespace

std::optional<FoundPlan> searchPlan(const Architecture& machine,
                                    const std::vector<PlanCandidate>& candidates, Bytes bound,
                                    PlanGoal goal) {
  Search search(machine, bound, goal);
  for (const PlanCandidate& candidate : candidates) search.tryCandidate(candidate);
  return search.best();
}

}  // namespace ipusim::workloads
