// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "base/disk_cache.h"
#include "ipusim/error.h"
#include "models/ipu/system/element_words.h"
#include "workloads/ops/matmul/plan_estimate.h"
#include "workloads/ops/matmul/plan_kept.h"
#include "workloads/ops/matmul/plan_key.h"
#include "workloads/ops/matmul/plan_search.h"
#include "workloads/ops/matmul/plan_training.h"

namespace ipusim::workloads {
namespace {

constexpr Bytes kNoBound(std::numeric_limits<std::uint64_t>::max());

// A bound of this many tile memories or more is dropped and not doubled.
constexpr std::uint64_t kLargestBound = 2;

constexpr double kMostMultiplyAdds = 1e18;

const std::string kStage = "matmul plan";  // in the disk cache

double multiplyAdds(const MatmulProblem& problem) {
  return static_cast<double>(problem.groups) * static_cast<double>(problem.m) *
         static_cast<double>(problem.k) * static_cast<double>(problem.n);
}

void requireKnown(const MatmulProblem& problem) {
  for (const std::uint64_t size : {problem.groups, problem.m, problem.k, problem.n}) {
    if (size >= 1 && size <= kMaxMatmulDimension) continue;
    throw ConfigError(
        fmt::format("matmul: wanted sizes from 1 to {}, found {}", kMaxMatmulDimension, size));
  }
  // Far above any machine's memory, and small enough that counts of multiply-adds fit their type.
  if (multiplyAdds(problem) > kMostMultiplyAdds) {
    throw ConfigError(fmt::format("matmul: wanted at most {} multiply-adds, found {:.3g}",
                                  kMostMultiplyAdds, multiplyAdds(problem)));
  }
  for (const ElementType type : {problem.input, problem.output, problem.partials}) {
    if (isReal(type)) continue;
    throw ConfigError(fmt::format("matmul: wanted types half or float, found {}", nameOf(type)));
  }
  if (problem.input == ElementType::Float && problem.partials != ElementType::Float) {
    throw ConfigError(
        fmt::format("matmul: wanted partials of float beside inputs of float, found {}",
                    nameOf(problem.partials)));
  }
  const double proportion = problem.available_memory_proportion;
  if (!(proportion >= 0 && proportion <= kMaxMemoryProportion)) {
    throw ConfigError(
        fmt::format("matmul: wanted an available memory proportion from 0 to {}, found {}",
                    kMaxMemoryProportion, proportion));
  }
}

/// A plan, and the bound under which it was found.
struct Bounded {
  FoundPlan plan;
  Bytes bound;
};

/// The first of `bound` and its doublings that `needed` stays within.
Bytes doubledTo(const Architecture& machine, Bytes bound, Bytes needed) {
  while (bound < needed) {
    bound = bound < machine.sram_per_tile * kLargestBound ? bound * 2 : kNoBound;
  }
  return bound;
}

Bounded searchDoubling(const Architecture& machine, const MatmulProblem& problem,
                       const std::vector<PlanCandidate>& candidates) {
  if (problem.available_memory_proportion > 0) {
    const Bytes bound = planMemoryBound(machine, problem.available_memory_proportion);
    if (auto found = searchPlan(machine, candidates, bound, PlanGoal::FewestCycles)) {
      return {*found, bound};
    }
  }
  const auto least = searchPlan(machine, candidates, kNoBound, PlanGoal::LeastMemory);
  if (!least) throw ConfigError("matmul: none of the allowed methods can do this product");
  if (problem.available_memory_proportion == 0) return {*least, kNoBound};
  const Bytes bound = doubledTo(
      machine, planMemoryBound(machine, problem.available_memory_proportion), least->temp);
  const auto found = searchPlan(machine, candidates, bound, PlanGoal::FewestCycles);
  check(found.has_value(), "the plan of the least memory is within the bound made for it");
  return {*found, bound};
}

MatmulPlan planOf(const Architecture& machine, const Bounded& found) {
  const PlanCandidate& candidate = found.plan.candidate;
  const PlanPoint& point = found.plan.point;
  MatmulPlan plan;
  plan.order = candidate.order;
  plan.conv = candidate.conv;
  plan.method = candidate.method;
  plan.partition = point.partition;
  plan.broadcast = point.broadcast;
  plan.training = candidate.training;
  plan.combined_groups = candidate.combined_groups;
  plan.terms =
      planTerms(machine, candidate, point, models::reductionDepths(point.partition.in_chans));
  plan.pass_cycles = plan.terms.total(point.partition.steps());
  plan.cycles = found.plan.cycles;
  plan.temp = planTempBytes(machine, candidate, point);
  plan.bound = found.bound;
  return plan;
}

/// The joint plan of a layer that trains, if it is faster than separate plans of the passes.
std::optional<Bounded> jointIfFaster(const Architecture& machine, const MatmulProblem& problem) {
  const auto passes = trainingPasses(problem);
  const Bytes bound = planMemoryBound(machine, problem.available_memory_proportion);
  const auto joint =
      searchPlan(machine, jointCandidates(machine, passes.front()), bound, PlanGoal::FewestCycles);
  if (!joint) return std::nullopt;
  Cycles separate(0);
  for (const MatmulProblem& pass : passes) {
    separate += searchDoubling(machine, pass, planCandidates(machine, pass)).plan.cycles;
  }
  if (separate < joint->cycles) return std::nullopt;
  Bounded found{*joint, bound};
  found.plan.candidate = jointCandidateOf(machine, joint->candidate, problem.pass);
  found.plan.point = jointPointOf(joint->point, problem.pass);
  return found;
}

MatmulPlan searchAll(const Architecture& machine, const MatmulProblem& problem) {
  if (isTraining(problem.pass) && problem.available_memory_proportion > 0) {
    if (const auto joint = jointIfFaster(machine, problem)) return planOf(machine, *joint);
  }
  return planOf(machine, searchDoubling(machine, problem, planCandidates(machine, problem)));
}

std::string bytesOf(const MatmulPlan& plan) {
  static_assert(std::is_trivially_copyable_v<MatmulPlan>);
  std::string bytes(sizeof plan, '\0');
  std::memcpy(bytes.data(), &plan, sizeof plan);
  return bytes;
}

/// The plan that is kept, with its estimate computed anew. Nothing where no search comes to such a
/// plan: a file may say anything, and the checksum of an entry stops only accidents.
std::optional<MatmulPlan> findPlan(const Architecture& machine, const MatmulProblem& problem,
                                   const std::string& key) {
  const std::optional<std::string> bytes = diskCache()->find(kStage, key);
  if (!bytes || bytes->size() != sizeof(MatmulPlan)) return std::nullopt;
  MatmulPlan kept;
  std::memcpy(&kept, bytes->data(), sizeof kept);
  const std::optional<PlanCandidate> candidate = candidateOf(machine, problem, kept);
  if (!candidate) return std::nullopt;
  const PlanPoint point{kept.partition, kept.broadcast};
  const MatmulPlan plan =
      planOf(machine, {{*candidate, point, kept.cycles, kept.temp}, kept.bound});
  const bool is_joint = plan.training == TrainingPlan::Joint;
  const bool has_its_cycles =
      is_joint ? plan.cycles >= plan.pass_cycles : plan.cycles == plan.pass_cycles;
  if (!has_its_cycles || plan.temp > plan.bound) return std::nullopt;
  return plan;
}

}  // namespace

Cycles PlanTerms::total(std::uint32_t steps) const {
  const Cycles step = partial_calc + input_exchange + weight_exchange + reduce_first_exchange +
                      reduce_rest_exchange + reduce + transform_copy + transform_exchange +
                      tile_level_transform + dynamic_slice + dynamic_update + add_in_place;
  return step * steps + output_cast + rearrange_before_slice + broadcast_before_loop;
}

Bytes planMemoryBound(const Architecture& machine, double proportion) {
  const double bytes = static_cast<double>(machine.sram_per_tile.value()) * proportion;
  return Bytes(static_cast<std::uint64_t>(std::max(1.0, std::floor(bytes))));
}

MatmulPlan planMatmul(const Architecture& machine, const MatmulProblem& problem) {
  requireKnown(problem);
  if (diskCache() == nullptr) return searchAll(machine, problem);
  const std::string key = planKey(machine, problem);
  if (const std::optional<MatmulPlan> kept = findPlan(machine, problem, key)) {
    return *kept;
  }
  const MatmulPlan plan = searchAll(machine, problem);
  diskCache()->keep(kStage, key, bytesOf(plan));
  return plan;
}

GrainRange grainsOfPart(std::uint64_t grains, std::uint32_t parts, std::uint32_t index) {
  const std::uint64_t each = grains / parts;
  const std::uint64_t first_longer = parts - grains % parts;
  const std::uint64_t longer_before = index > first_longer ? index - first_longer : 0;
  return {index * each + longer_before, each + (index >= first_longer ? 1 : 0)};
}

}  // namespace ipusim::workloads
