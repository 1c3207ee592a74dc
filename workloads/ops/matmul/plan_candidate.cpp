// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_candidate.h"

#include <algorithm>
#include <array>

#include "models/ipu/cost/amp.h"
#include "workloads/ops/matmul/plan_splits.h"

namespace ipusim::workloads {
namespace {

using models::ElementType;
using models::Machine;

// The other number of engines the AMP code is there for, beside all of them.
// Source: graphcore/poplibs lib/poplin/ConvVertexType.cpp (MIT).
constexpr std::uint32_t kFewAmpUnits = 8;

constexpr std::array kOrders{OperandOrder::Swapped, OperandOrder::AsGiven};

/// Output channels of a group must fill the engines: as many as engines are used, or as many as an
/// engine holds weights, which takes several passes and pays with all engines only.
bool ampFits(const VertexMethod& method, std::uint32_t most_units, std::uint32_t weights_per_unit,
             MatmulPass pass) {
  const std::uint32_t chans = method.partial_chans_per_group;
  const std::uint32_t units = method.conv_units;
  if (chans % units != 0 || (chans != units && chans != weights_per_unit)) return false;
  if (chans > units && units != most_units) return false;
  return pass != MatmulPass::InferenceFwd || chans == units;
}

void addAmp(const Machine& machine, const MatmulProblem& problem, ElementType partials,
            std::vector<VertexMethod>& methods) {
  const std::uint32_t most = models::ampUnits(machine, problem.input, partials);
  const std::uint32_t weights = models::ampWeightsPerUnit(machine, problem.input);
  std::vector<std::uint32_t> units{most};
  if (most > kFewAmpUnits) units.push_back(kFewAmpUnits);
  std::vector<std::uint32_t> chans{most};
  if (weights > most) chans.push_back(weights);
  if (most != kFewAmpUnits) chans.push_back(kFewAmpUnits);
  for (const std::uint32_t used : units) {
    for (const std::uint32_t grouped : chans) {
      const VertexMethod method{MatmulMethod::Amp, used,    machine.vectorWidth(problem.input),
                                weights,           grouped, partials};
      if (ampFits(method, most, weights, problem.pass)) methods.push_back(method);
    }
  }
}

/// In channels of an HMAC group: the fewest for each number of groups.
void addHmac(const MatmulProblem& problem, std::vector<VertexMethod>& methods) {
  const std::uint32_t step = problem.input == ElementType::Half ? 2 : 1;  // half channels: pairs
  const std::uint32_t out_chans = problem.partials == ElementType::Half ? 2 : 1;
  const auto grains = ceilDiv<std::uint64_t>(problem.k, step);
  for (const std::uint32_t grouped : usefulSplits(grains, kMaxMatmulDimension)) {
    methods.push_back({MatmulMethod::Hmac, 0, 0, grouped * step, out_chans, problem.partials});
  }
}

std::vector<VertexMethod> vertexMethods(const Machine& machine, const MatmulProblem& problem) {
  std::vector<VertexMethod> methods;
  if (problem.methods.has(MatmulMethod::Amp)) {
    addAmp(machine, problem, problem.partials, methods);
    // Nothing is added up on the tile where one group holds all in channels: then partials need no
    // more precision than the result.
    if (sizeOf(problem.output) < sizeOf(problem.partials) && problem.input == ElementType::Half &&
        problem.k <= models::ampWeightsPerUnit(machine, problem.input)) {
      addAmp(machine, problem, problem.output, methods);
    }
  }
  if (problem.methods.has(MatmulMethod::Hmac)) addHmac(problem, methods);
  // An outer product writes partials of the type it reads. That is precision enough where nothing
  // is added up.
  const bool precise = sizeOf(problem.input) >= sizeOf(problem.partials) || problem.k == 1;
  if (problem.methods.has(MatmulMethod::OuterProduct) && precise) {
    methods.push_back(
        {MatmulMethod::OuterProduct, 0, 0, 1, machine.vectorWidth(problem.input), problem.input});
  }
  return methods;
}

/// Multiply-adds a cycle, less what padding to whole groups wastes.
double usefulRate(const Machine& machine, const PlanCandidate& candidate) {
  const VertexMethod& method = candidate.method;
  const double rate = method.kind == MatmulMethod::Amp ? method.conv_units * method.input_load_elems
                                                       : machine.vectorWidth(candidate.input);
  const double padded = static_cast<double>(candidate.inGroups() * method.in_chans_per_group) *
                        static_cast<double>(candidate.outGroups() * method.partial_chans_per_group);
  const double useful =
      static_cast<double>(candidate.conv.in_chans) * static_cast<double>(candidate.conv.out_chans);
  return rate * useful / padded;
}

/// Two halves share a word: with one out channel a group, pairs of positions stay together.
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

}  // namespace

ConvSizes convSizes(const MatmulProblem& problem, OperandOrder order) {
  if (order == OperandOrder::Swapped) return {problem.groups, problem.n, problem.k, problem.m};
  return {problem.groups, problem.m, problem.k, problem.n};
}

std::vector<PlanCandidate> planCandidates(const Machine& machine, const MatmulProblem& problem) {
  const std::vector<VertexMethod> methods = vertexMethods(machine, problem);
  std::vector<PlanCandidate> candidates;
  for (const OperandOrder order : kOrders) {
    const auto first = static_cast<std::ptrdiff_t>(candidates.size());
    for (const VertexMethod& method : methods) {
      candidates.push_back(candidateFor(problem, order, method));
    }
    std::stable_sort(candidates.begin() + first, candidates.end(),
                     [&](const PlanCandidate& a, const PlanCandidate& b) {
                       return usefulRate(machine, a) > usefulRate(machine, b);
                     });
  }
  return candidates;
}

std::vector<PlanCandidate> jointCandidates(const Machine& machine, const MatmulProblem& problem) {
  std::vector<PlanCandidate> candidates = planCandidates(machine, problem);
  const auto unfit = [](const PlanCandidate& candidate) {
    const VertexMethod& method = candidate.method;
    if (candidate.order != OperandOrder::Swapped) return true;
    if (method.kind == MatmulMethod::OuterProduct) return true;
    // The weight update writes what the forward pass reads: in channels become out channels.
    return method.kind == MatmulMethod::Amp && method.in_chans_per_group % method.conv_units != 0;
  };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), unfit), candidates.end());
  for (PlanCandidate& candidate : candidates) {
    candidate.training = TrainingPlan::Joint;
    candidate.field_grain = candidate.method.in_chans_per_group;
  }
  return candidates;
}

}  // namespace ipusim::workloads
