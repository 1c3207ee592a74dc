// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/cached_plan.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/training.h"

namespace ipusim::workloads {
namespace {

bool isWithin(std::uint64_t part, std::uint64_t most) {
  return part >= 1 && part <= most;
}

/// Whether no dimension has more parts than grains.
bool fitsGrains(const ConvCandidate& candidate, const ConvPartition& splits) {
  for (std::uint32_t i = 0; i < kMaxFieldDims; ++i) {
    const CandidateDim& dim = candidate.dims.at(i);
    const std::uint64_t kernel = i + 1 < candidate.dim_count ? dim.kernel : 1;
    if (!isWithin(splits.field.at(i), dim.outputGrains()) ||
        !isWithin(splits.kernel.at(i), kernel)) {
      return false;
    }
  }
  const std::uint64_t in = std::uint64_t{splits.in_chans} * splits.in_chans_serial;
  const std::uint64_t out = std::uint64_t{splits.out_chans} * splits.out_chans_serial;
  return isWithin(splits.batch, candidate.batch) &&
         isWithin(splits.conv_groups, candidate.groupGrains()) &&
         isWithin(in, candidate.inGrains()) && isWithin(out, candidate.outGrains());
}

/// Whether the parts are no more than the tiles. Their product need not fit 32 bits here.
bool fitsTiles(const ConvPartition& splits, std::uint64_t tiles) {
  std::uint64_t product = 1;
  const auto takes = [&](std::uint64_t split) {
    if (!isWithin(split, tiles)) return false;
    product *= split;
    return product <= tiles;
  };
  return std::all_of(splits.field.begin(), splits.field.end(), takes) &&
         std::all_of(splits.kernel.begin(), splits.kernel.end(), takes) && takes(splits.batch) &&
         takes(splits.conv_groups) && takes(splits.out_chans) && takes(splits.in_chans);
}

bool fitsSteps(const ConvCandidate& candidate, const ConvPoint& point) {
  const ConvPartition& splits = point.partition;
  if (!isWithin(splits.in_chans_serial, candidate.joint ? 1 : candidate.most_in_steps) ||
      !isWithin(splits.out_chans_serial, candidate.most_out_steps) ||
      std::min(splits.in_chans_serial, splits.out_chans_serial) > 1 ||
      (candidate.joint && splits.out_chans > 1)) {
    return false;
  }
  return point.broadcast == ConvBroadcast::EachStep ||
         (point.broadcast == ConvBroadcast::BeforeLoop && splits.out_chans_serial > 1);
}

/// Whether the search tries the point.
bool isTried(const Architecture& machine, const ConvCandidate& candidate, const ConvPoint& point) {
  return fitsTiles(point.partition, machine.tiles) && fitsSteps(candidate, point) &&
         fitsGrains(candidate, point.partition) &&
         takes(candidate, shareOf(candidate, point.partition));
}

}  // namespace

std::string bytesOf(const CachedPlan& plan) {
  static_assert(std::is_trivially_copyable_v<CachedPlan>);
  std::string bytes(sizeof plan, '\0');
  std::memcpy(bytes.data(), &plan, sizeof plan);
  return bytes;
}

std::optional<CachedPlan> cachedPlanOf(const std::string& bytes) {
  if (bytes.size() != sizeof(CachedPlan)) return std::nullopt;
  CachedPlan plan;
  std::memcpy(&plan, bytes.data(), sizeof plan);
  return plan;
}

bool isFound(const Architecture& machine, const std::vector<ConvCandidate>& candidates,
             const CachedPlan& kept) {
  if (kept.training != TrainingPlan::Joint && kept.training != TrainingPlan::Separate) return false;
  if (kept.plan.candidate >= candidates.size()) return false;
  const ConvCandidate& candidate = candidates[kept.plan.candidate];
  const ConvPoint& point = kept.plan.point;
  if (!isTried(machine, candidate, point)) return false;
  const ConvTerms terms = convTerms(machine, candidate, point);
  PlanCost cost{terms.total(point.partition.steps()), terms.temp()};
  if (candidate.joint) addGradientPasses(machine, candidate, point, cost);
  return cost.cycles == kept.plan.cycles && cost.temp == kept.plan.temp && cost.temp <= kept.bound;
}

const CachedPlan* RecentPlans::find(const std::string& key) const {
  const auto found = std::find_if(plans_.begin(), plans_.end(),
                                  [&key](const auto& plan) { return plan.first == key; });
  return found == plans_.end() ? nullptr : &found->second;
}

void RecentPlans::add(std::string key, const CachedPlan& plan) {
  constexpr std::size_t kMost = 4;
  if (plans_.size() == kMost) plans_.pop_front();
  plans_.emplace_back(std::move(key), plan);
}

}  // namespace ipusim::workloads
