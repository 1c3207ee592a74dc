// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_kept.h"

#include <tuple>

#include "workloads/ops/matmul/plan_share.h"
#include "workloads/ops/matmul/plan_training.h"

namespace ipusim::workloads {
namespace {

auto asTuple(const VertexMethod& method) {
  const auto& [kind, units, load, in_chans, partial_chans, partials, groups, chains] = method;
  return std::make_tuple(kind, units, load, in_chans, partial_chans, partials, groups, chains);
}

auto asTuple(const ConvSizes& conv) {
  const auto& [groups, field, in_chans, out_chans] = conv;
  return std::make_tuple(groups, field, in_chans, out_chans);
}

bool isOf(const PlanCandidate& candidate, const MatmulPlan& plan) {
  return candidate.order == plan.order && candidate.training == plan.training &&
         candidate.combined_groups == plan.combined_groups &&
         candidate.field_grain == plan.partition.field_grain &&
         asTuple(candidate.conv) == asTuple(plan.conv) &&
         asTuple(candidate.method) == asTuple(plan.method);
}

bool isWithin(std::uint64_t part, std::uint64_t most) {
  return part >= 1 && part <= most;
}

/// The number of tiles, which 32 bits need not hold here; none where a split is wider than all.
bool fitsTiles(const MatmulPartition& splits, std::uint64_t tiles) {
  std::uint64_t product = 1;
  for (const std::uint64_t split :
       {splits.field, splits.out_chans, splits.in_chans, splits.conv_groups}) {
    if (!isWithin(split, tiles)) return false;
    product *= split;
    if (product > tiles) return false;
  }
  return true;
}

bool fitsSteps(const PlanCandidate& candidate, const PlanPoint& point) {
  const MatmulPartition& splits = point.partition;
  const bool loops = candidate.serial == SerialSplits::Allowed;
  if (!isWithin(splits.in_chans_serial, loops ? candidate.mostInSteps() : 1) ||
      !isWithin(splits.out_chans_serial, loops ? candidate.mostOutSteps() : 1)) {
    return false;
  }
  if (splits.in_chans_serial > 1 && splits.out_chans_serial > 1) return false;
  return point.broadcast == InputBroadcast::EachStep ||
         (point.broadcast == InputBroadcast::BeforeLoop && splits.out_chans_serial > 1);
}

/// Whether the search tries the point.
bool isTried(const Architecture& machine, const PlanCandidate& candidate, const PlanPoint& point) {
  const MatmulPartition& splits = point.partition;
  if (!fitsTiles(splits, machine.tiles) || !fitsSteps(candidate, point)) return false;
  const std::uint64_t in = std::uint64_t{splits.in_chans} * splits.in_chans_serial;
  const std::uint64_t out = std::uint64_t{splits.out_chans} * splits.out_chans_serial;
  return in <= candidate.inGroups() && out <= candidate.outGroups() &&
         splits.field <= candidate.fieldGrains() &&
         splits.conv_groups <= candidate.convGroupGrains() &&
         candidate.takesInGroups(ceilDiv<std::uint64_t>(candidate.inGroups(), in)) &&
         candidate.takesOutGroups(ceilDiv<std::uint64_t>(candidate.outGroups(), out));
}

/// The splits of a joint plan are those of its forward pass, which the search tries.
std::optional<PlanCandidate> jointCandidateWith(const Architecture& machine,
                                                const MatmulProblem& problem,
                                                const MatmulPlan& plan) {
  PlanPoint forward = jointPointOf({plan.partition, plan.broadcast}, problem.pass);
  for (const PlanCandidate& candidate : jointCandidates(machine, trainingPasses(problem).front())) {
    const PlanCandidate of_pass = jointCandidateOf(machine, candidate, problem.pass);
    if (isOf(of_pass, plan) && isTried(machine, candidate, forward)) return of_pass;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PlanCandidate> candidateOf(const Architecture& machine, const MatmulProblem& problem,
                                         const MatmulPlan& plan) {
  if (plan.training == TrainingPlan::Joint) {
    if (!isTraining(problem.pass)) return std::nullopt;
    return jointCandidateWith(machine, problem, plan);
  }
  for (const PlanCandidate& candidate : planCandidates(machine, problem)) {
    const bool is_tried =
        isOf(candidate, plan) && isTried(machine, candidate, {plan.partition, plan.broadcast});
    if (is_tried) return candidate;
  }
  return std::nullopt;
}

}  // namespace ipusim::workloads
