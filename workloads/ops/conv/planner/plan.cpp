// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/files/disk_cache.h"
#include "ipusim/error.h"
#include "workloads/ops/conv/planner/cached_plan.h"
#include "workloads/ops/conv/planner/candidate.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/key.h"
#include "workloads/ops/conv/planner/problem.h"
#include "workloads/ops/conv/planner/search.h"
#include "workloads/ops/conv/planner/training.h"
#include "workloads/ops/conv/planner/transforms.h"

namespace ipusim::workloads {
namespace {

constexpr Bytes kNoBound(std::numeric_limits<std::uint64_t>::max());

// A bound of this many tile memories or more is dropped and not doubled.
constexpr std::uint64_t kLargestBound = 2;

const std::string kStage = "plan";  // in the disk cache

/// The candidates of all transforms, in the order in which the published planner tries them.
struct Candidates {
  std::vector<TransformedConv> convs;
  std::vector<std::size_t> conv_of;  // by candidate
  std::vector<ConvCandidate> all;
};

Candidates candidatesOf(const Architecture& machine, const ConvProblem& problem) {
  Candidates candidates;
  candidates.convs = transformsOf(machine, problem);
  for (std::size_t i = 0; i < candidates.convs.size(); ++i) {
    for (ConvCandidate& candidate : candidatesOf(machine, problem, candidates.convs[i])) {
      candidates.all.push_back(candidate);
      candidates.conv_of.push_back(i);
    }
  }
  return candidates;
}

/// The candidates that a joint plan of the layer of `problem` can share. They have one transform.
Candidates jointCandidatesOf(const Architecture& machine, const ConvProblem& problem) {
  const ConvProblem forward = trainingPasses(problem).front();
  Candidates joint = candidatesOf(machine, forward);
  joint.all = jointCandidates(std::move(joint.all));
  joint.conv_of.assign(joint.all.size(), 0);
  return joint;
}

/// A problem and its candidates, which are listed when they are first needed.
class Planned {
 public:
  Planned(const Architecture& machine, const ConvProblem& problem)
      : machine_(machine), problem_(problem) {}

  [[nodiscard]] const Architecture& machine() const { return machine_; }
  [[nodiscard]] const ConvProblem& problem() const { return problem_; }

  /// Those of the problem's pass, or those that the passes of its layer can share.
  const Candidates& candidates(TrainingPlan training) {
    const bool is_joint = training == TrainingPlan::Joint;
    std::optional<Candidates>& listed = is_joint ? joint_ : separate_;
    if (!listed) {
      listed = is_joint ? jointCandidatesOf(machine_, problem_) : candidatesOf(machine_, problem_);
    }
    return *listed;
  }

 private:
  const Architecture& machine_;
  const ConvProblem& problem_;
  std::optional<Candidates> separate_;
  std::optional<Candidates> joint_;
};

const char* textOf(ElementType type) {
  return type == ElementType::Half ? "half" : "float";
}

ConfigError impossible(const ConvProblem& problem) {
  check(problem.method.has_value(),
        "some vertex computes any convolution when memory is unbounded");
  return ConfigError(std::string(nounOf(problem)) +
                     ": wanted a method that can compute it, found " + nameOf(*problem.method) +
                     " for " + textOf(problem.params.input) + " data with " +
                     textOf(problem.partials) + " partials; let the planner choose");
}

/// The fastest plan of a pass under the first bound, of `bound` and its doublings, that some plan
/// stays within.
CachedPlan searchDoubling(Planned& planned) {
  const auto& candidates = planned.candidates(TrainingPlan::Separate).all;
  Bytes bound = planMemoryBound(planned.machine(), planned.problem().available_memory_proportion);
  while (true) {
    if (const auto found = searchConvPlan(planned.machine(), candidates, bound)) {
      return {TrainingPlan::Separate, *found, bound};
    }
    if (bound == kNoBound) throw impossible(planned.problem());
    bound = bound < planned.machine().sram_per_tile * kLargestBound ? bound * 2 : kNoBound;
  }
}

/// The plan of a pass by itself.
CachedPlan searchSeparate(Planned& planned) {
  const CachedPlan fastest = searchDoubling(planned);
  if (planned.problem().available_memory_proportion > 0) return fastest;
  const auto least =
      searchConvPlan(planned.machine(), planned.candidates(TrainingPlan::Separate).all,
                     fastest.plan.temp, PlanGoal::LeastMemory);
  check(least.has_value(), "a plan is within the bytes that it takes");
  return {TrainingPlan::Separate, *least, kNoBound};
}

/// A plan of the least memory is one of a pass by itself.
bool mayBeJoint(const ConvProblem& problem) {
  return isFcTraining(problem.pass) && problem.available_memory_proportion > 0;
}

/// The plan of a pass by itself, or the joint plan of its layer if that is no slower than those of
/// all passes by themselves.
CachedPlan searchAll(Planned& planned) {
  const ConvProblem& problem = planned.problem();
  const CachedPlan own = searchSeparate(planned);
  if (!mayBeJoint(problem)) return own;
  const Bytes bound = planMemoryBound(planned.machine(), problem.available_memory_proportion);
  const auto joint =
      searchConvPlan(planned.machine(), planned.candidates(TrainingPlan::Joint).all, bound);
  if (!joint) return own;
  Cycles separate = own.plan.cycles;
  for (const ConvProblem& pass : trainingPasses(problem)) {
    if (pass.pass == problem.pass) continue;
    Planned other(planned.machine(), pass);
    separate += searchSeparate(other).plan.cycles;
  }
  if (separate < joint->cycles) return own;
  return {TrainingPlan::Joint, *joint, bound};
}

/// What a search found, with its terms.
ConvPlan planOf(Planned& planned, const CachedPlan& found) {
  const ConvProblem& problem = planned.problem();
  const bool is_joint = found.training == TrainingPlan::Joint;
  const Candidates& candidates = planned.candidates(found.training);
  const ConvCandidate& tried = candidates.all.at(found.plan.candidate);
  const TransformedConv& conv = candidates.convs.at(candidates.conv_of.at(found.plan.candidate));
  const ConvCandidate candidate = is_joint ? jointCandidateOf(tried, problem.pass) : tried;
  const ConvPoint point =
      is_joint ? jointPointOf(found.plan.point, problem.pass) : found.plan.point;
  ConvPlan plan;
  plan.params = problem.params;
  plan.transforms = conv.transforms;
  plan.transformed =
      is_joint ? transformedConv(problem.params, conv.transforms).params : conv.params;
  plan.vertex = candidate.vertex;
  for (std::size_t i = 0; i < kMaxFieldDims; ++i) {
    plan.field_grain.at(i) = candidate.dims.at(i).grain;
  }
  plan.partition = point.partition;
  plan.broadcast = point.broadcast;
  plan.tile_result = candidate.tile_result;
  plan.training = found.training;
  plan.terms = convTerms(planned.machine(), candidate, point);
  plan.pass_cycles = plan.terms.total(point.partition.steps());
  plan.cycles = found.plan.cycles;
  plan.temp = plan.terms.temp();
  plan.bound = found.bound;
  return plan;
}

/// What an earlier search for the problem found. Nothing where no search comes to such a plan: a
/// file may say anything, and the checksum of an entry stops only accidents.
std::optional<CachedPlan> findPlan(Planned& planned, const std::string& key) {
  const std::optional<std::string> bytes = diskCache()->find(kStage, key);
  if (!bytes) return std::nullopt;
  const std::optional<CachedPlan> kept = cachedPlanOf(*bytes);
  if (!kept || (kept->training == TrainingPlan::Joint && !mayBeJoint(planned.problem()))) {
    return std::nullopt;
  }
  const auto& candidates = planned.candidates(kept->training).all;
  return isFound(planned.machine(), candidates, *kept) ? kept : std::nullopt;
}

/// Without a disk cache a thread remembers what it found last.
CachedPlan foundPlan(Planned& planned) {
  std::string key = planKey(planned.machine(), planned.problem());
  if (diskCache() == nullptr) {
    thread_local RecentPlans last;
    if (const CachedPlan* const known = last.find(key)) return *known;
    const CachedPlan found = searchAll(planned);
    last.add(std::move(key), found);
    return found;
  }
  if (const auto kept = findPlan(planned, key)) return *kept;
  const CachedPlan found = searchAll(planned);
  diskCache()->keep(kStage, key, bytesOf(found));
  return found;
}

}  // namespace

const char* nameOf(ConvMethod method) {
  switch (method) {
    case ConvMethod::Hmac:
      return "HMAC";
    case ConvMethod::Vmac:
      return "VMAC";
    case ConvMethod::Amp:
      return "AMP";
    case ConvMethod::Slic:
      return "SLIC";
    case ConvMethod::OuterProduct:
      break;
  }
  return "outer product";
}

ConvPlan planConv(const Architecture& machine, const ConvProblem& problem) {
  const ConvProblem prepared = preparedProblem(problem);
  Planned planned(machine, prepared);
  const CachedPlan found = foundPlan(planned);
  return planOf(planned, found);
}

Bytes planMemoryBound(const Architecture& machine, double proportion) {
  const double bytes = static_cast<double>(machine.sram_per_tile.value()) * proportion;
  return Bytes(static_cast<std::uint64_t>(std::max(1.0, std::floor(bytes))));
}

GrainRange grainsOfPart(std::uint64_t grains, std::uint32_t parts, std::uint32_t index) {
  const std::uint64_t each = grains / parts;
  const std::uint64_t first_longer = parts - grains % parts;
  const std::uint64_t longer_before = index > first_longer ? index - first_longer : 0;
  return {index * each + longer_before, each + (index >= first_longer ? 1 : 0)};
}

}  // namespace ipusim::workloads
