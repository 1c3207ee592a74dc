// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_candidate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/slic.h"
#include "workloads/ops/matmul/plan_splits.h"

namespace ipusim::workloads {
namespace {

// The other number of engines for which AMP code exists, besides all engines.
// Source: graphcore/poplibs lib/poplin/ConvVertexType.cpp (MIT).
constexpr std::uint32_t kFewAmpUnits = 8;

constexpr std::array kOrders{OperandOrder::Swapped, OperandOrder::AsGiven};

/// True when the out channels of a group fill the engines. There are as many as engines in use, or
/// as many as an engine holds weights. The latter takes several passes and is worth it only with
/// all engines.
bool ampFits(const VertexMethod& method, std::uint32_t most_units, std::uint32_t weights_per_unit,
             MatmulPass pass) {
  const std::uint32_t chans = method.partial_chans_per_group;
  const std::uint32_t units = method.conv_units;
  if (chans % units != 0 || (chans != units && chans != weights_per_unit)) return false;
  if (chans > units && units != most_units) return false;
  return pass != MatmulPass::InferenceFwd || chans == units;
}

/// Adds AMP on groups of `in_chans` channels, with all numbers of engines and out channels.
void addAmp(const Architecture& machine, const MatmulProblem& problem, std::uint32_t in_chans,
            ElementType partials, std::vector<VertexMethod>& methods) {
  const std::uint32_t most = models::ampUnits(machine, problem.input, partials);
  const std::uint32_t weights = models::ampWeightsPerUnit(machine, problem.input);
  std::vector<std::uint32_t> units{most};
  if (most > kFewAmpUnits) units.push_back(kFewAmpUnits);
  std::vector<std::uint32_t> chans{most};
  if (weights > most) chans.push_back(weights);
  if (most != kFewAmpUnits) chans.push_back(kFewAmpUnits);
  for (const std::uint32_t used : units) {
    for (const std::uint32_t grouped : chans) {
      const VertexMethod method{ampMethod(machine, problem.input, in_chans),
                                used,
                                machine.vectorWidth(problem.input),
                                in_chans,
                                grouped,
                                partials};
      if (ampFits(method, most, weights, problem.pass)) methods.push_back(method);
    }
  }
}

/// Adds AMP on groups of as many in channels as an engine holds weights, or fewer. With fewer, an
/// engine takes several rows of a kernel at once.
void addAmps(const Architecture& machine, const MatmulProblem& problem,
             std::vector<VertexMethod>& methods) {
  const std::uint32_t weights = models::ampWeightsPerUnit(machine, problem.input);
  const bool less_precise =
      problem.input == ElementType::Half && sizeOf(problem.output) < sizeOf(problem.partials);
  for (std::uint32_t chans = weights; chans >= machine.vectorWidth(problem.input); chans /= 2) {
    if (!problem.methods.has(ampMethod(machine, problem.input, chans))) continue;
    addAmp(machine, problem, chans, problem.partials, methods);
    // When one load of weights holds all in channels, the tile sums nothing. Partials then need no
    // more precision than the result.
    const bool one_load = ceilDiv<std::uint64_t>(problem.k, chans) * chans == weights;
    if (less_precise && one_load) addAmp(machine, problem, chans, problem.output, methods);
  }
}

/// Adds SLIC for conv groups side by side and channels of each whose product is four. Half partials
/// with the dual AMP also allow all chains of engines, and 8 or 16 groups of one channel, four at a
/// time.
void addSlic(const Architecture& machine, const MatmulProblem& problem,
             std::vector<VertexMethod>& methods) {
  if (problem.input != ElementType::Half || problem.pass != MatmulPass::NoneMatmul) return;
  const bool halves = problem.partials == ElementType::Half;
  const bool dual =
      halves && models::ampUnits(machine, problem.input, problem.partials) == models::kDualAmpUnits;
  using Groups = std::pair<std::uint32_t, std::uint32_t>;
  std::vector<Groups> grains{{1, 4}, {2, 2}, {4, 1}};
  if (dual) grains.insert(grains.end(), {{8, 1}, {16, 1}});
  for (const std::uint32_t chains : {models::kSlicMostChains, models::kSlicFewChains}) {
    if (chains == models::kSlicMostChains && !dual) continue;
    for (const auto& [groups, chans] : grains) {
      methods.push_back({MatmulMethod::Slic, 0, 0, chans, chans, problem.partials, groups, chains});
    }
  }
}

void addVmac(const MatmulProblem& problem, std::vector<VertexMethod>& methods) {
  if (problem.input != ElementType::Half) return;
  for (const std::uint32_t groups : {4U, 8U, 16U}) {
    if (groups > 4 && problem.partials != ElementType::Half) break;
    methods.push_back({MatmulMethod::Vmac, 0, 0, 1, 1, problem.partials, groups});
  }
}

/// Adds HMAC with the fewest in channels of a group for each number of groups.
void addHmac(const MatmulProblem& problem, std::vector<VertexMethod>& methods) {
  // Half channels come in pairs.
  const std::uint32_t step = problem.input == ElementType::Half ? 2 : 1;
  const std::uint32_t out_chans = problem.partials == ElementType::Half ? 2 : 1;
  const auto grains = ceilDiv<std::uint64_t>(problem.k, step);
  for (const std::uint32_t grouped : usefulSplits(grains, kMaxMatmulDimension)) {
    methods.push_back({MatmulMethod::Hmac, 0, 0, grouped * step, out_chans, problem.partials});
  }
}

std::vector<VertexMethod> vertexMethods(const Architecture& machine, const MatmulProblem& problem) {
  std::vector<VertexMethod> methods;
  addAmps(machine, problem, methods);
  if (problem.methods.has(MatmulMethod::Hmac)) addHmac(problem, methods);
  if (problem.methods.has(MatmulMethod::Vmac)) addVmac(problem, methods);
  if (problem.methods.has(MatmulMethod::Slic)) addSlic(machine, problem, methods);
  // An outer product writes partials of the type that it reads. That is precise enough when nothing
  // is summed.
  const bool precise = sizeOf(problem.input) >= sizeOf(problem.partials) || problem.k == 1;
  if (problem.methods.has(MatmulMethod::OuterProduct) && precise) {
    methods.push_back(
        {MatmulMethod::OuterProduct, 0, 0, 1, machine.vectorWidth(problem.input), problem.input});
  }
  return methods;
}

/// The multiply-adds per cycle by which the published planner sorts.
double nominalRate(const Architecture& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  if (method.kind == MatmulMethod::Slic) return 8.0 * method.chains;
  if (method.conv_units > 0) return method.conv_units * method.input_load_elems;
  return machine.vectorWidth(candidate.input);
}

/// Multiply-adds per cycle, without those that padding to whole groups wastes.
double usefulRate(const Architecture& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  const double rate = nominalRate(machine, candidate);
  const double padded = static_cast<double>(candidate.inGroups() * method.in_chans_per_group) *
                        static_cast<double>(candidate.outGroups() * method.partial_chans_per_group);
  const double useful =
      static_cast<double>(candidate.conv.in_chans) * static_cast<double>(candidate.conv.out_chans);
  return rate * useful / padded;
}

/// Two halves share a word, so with one out channel per group pairs of positions stay together.
std::uint32_t fieldGrain(const PlanCandidate& candidate) {
  const bool half_words = candidate.output == ElementType::Half &&
                          candidate.method.partial_chans_per_group % 2 != 0 &&
                          candidate.conv.field % 2 == 0;
  return half_words ? 2 : 1;
}

PlanCandidate candidateFor(const MatmulProblem& problem, OperandOrder order,
                           const VertexMethod& method) {
  PlanCandidate candidate;
  candidate.serial = problem.serial;
  candidate.pass = problem.pass;
  candidate.order = order;
  candidate.input = problem.input;
  candidate.output = problem.output;
  candidate.conv = convSizes(problem, order);
  candidate.method = method;
  candidate.field_grain = fieldGrain(candidate);
  return candidate;
}

/// How many groups may be combined into one: until their in channels fill a load of weights.
std::vector<std::uint32_t> combinedGroups(const Architecture& machine,
                                          const MatmulProblem& problem) {
  std::vector<std::uint32_t> counts{1};
  const std::uint32_t most_chans = problem.input == ElementType::Half ? 2 : 1;
  if (problem.combining == GroupCombining::None || problem.groups == 1 || problem.k > most_chans) {
    return counts;
  }
  const auto chans = static_cast<std::uint32_t>(problem.k);
  const std::uint32_t most = models::ampWeightsPerUnit(machine, problem.input) / chans;
  for (std::uint32_t count = machine.vectorWidth(problem.input) / chans; count <= most;
       count *= 2) {
    counts.push_back(count);
  }
  return counts;
}

/// `problem` with `count` of its groups combined in each group: their channels stand side by side.
MatmulProblem combined(const MatmulProblem& problem, OperandOrder order, std::uint32_t count) {
  MatmulProblem result = problem;
  result.groups = ceilDiv<std::uint64_t>(problem.groups, count);
  result.k *= count;
  (order == OperandOrder::Swapped ? result.m : result.n) *= count;
  return result;
}

/// Adds the vertices for `problem` with `count` groups combined, fastest first.
void addCandidates(const Architecture& machine, const MatmulProblem& problem, OperandOrder order,
                   std::uint32_t count, std::vector<PlanCandidate>& candidates) {
  const auto first = static_cast<std::ptrdiff_t>(candidates.size());
  const MatmulProblem whole = combined(problem, order, count);
  for (const VertexMethod& method : vertexMethods(machine, whole)) {
    candidates.push_back(candidateFor(whole, order, method));
    candidates.back().combined_groups = count;
  }
  std::stable_sort(candidates.begin() + first, candidates.end(),
                   [&](const PlanCandidate& a, const PlanCandidate& b) {
                     return usefulRate(machine, a) > usefulRate(machine, b);
                   });
}

}  // namespace

MatmulMethod ampMethod(const Architecture& machine, ElementType input, std::uint32_t in_chans) {
  const bool whole = in_chans == models::ampWeightsPerUnit(machine, input);
  return whole ? MatmulMethod::Amp : MatmulMethod::AmpNx1;
}

ConvSizes convSizes(const MatmulProblem& problem, OperandOrder order) {
  if (order == OperandOrder::Swapped) return {problem.groups, problem.n, problem.k, problem.m};
  return {problem.groups, problem.m, problem.k, problem.n};
}

std::vector<PlanCandidate> planCandidates(const Architecture& machine,
                                          const MatmulProblem& problem) {
  std::vector<PlanCandidate> candidates;
  for (const OperandOrder order : kOrders) {
    for (const std::uint32_t count : combinedGroups(machine, problem)) {
      addCandidates(machine, problem, order, count, candidates);
    }
  }
  return candidates;
}

std::vector<PlanCandidate> jointCandidates(const Architecture& machine,
                                           const MatmulProblem& problem) {
  std::vector<PlanCandidate> candidates = planCandidates(machine, problem);
  const auto unfit = [&](const PlanCandidate& candidate) {
    const VertexMethod& method = candidate.method;
    if (candidate.order != OperandOrder::Swapped || candidate.combined_groups > 1) return true;
    if (method.kind == MatmulMethod::Hmac) return false;
    // The weight update writes what the forward pass reads, so in channels become out channels.
    return !isAmp(method.kind) || method.in_chans_per_group % method.conv_units != 0 ||
           !problem.methods.has(ampMethod(machine, problem.input, method.partial_chans_per_group));
  };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), unfit), candidates.end());
  for (PlanCandidate& candidate : candidates) {
    candidate.training = TrainingPlan::Joint;
    candidate.field_grain = candidate.method.in_chans_per_group;
  }
  return candidates;
}

}  // namespace ipusim::workloads
