// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/candidate.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/matmul/plan.h"

// Products whose plans tests look at.

namespace ipusim::workloads {

/// A product of floats in a pass of training, or beside any.
inline MatmulProblem productIn(ConvPass pass, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  MatmulProblem problem;
  problem.pass = pass;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  return problem;
}

/// A product as the convolution that is split.
struct FactorSizes {
  std::uint64_t groups;
  std::uint64_t field;
  std::uint64_t in_chans;
  std::uint64_t out_chans;
};

/// A vertex on a product of `type`, by itself, on the toy machine.
inline ConvCandidate onProduct(const FactorSizes& sizes, ElementType type,
                               const ConvVertex& vertex) {
  MatmulProblem problem =
      productIn(ConvPass::NoneMatmul, sizes.out_chans, sizes.in_chans, sizes.field);
  problem.groups = sizes.groups;
  problem.input = problem.output = type;
  problem.partials = vertex.partials;
  const ConvProblem conv = convOf(problem);
  const Machine& machine = models::toyMachine();
  return candidateOf(machine, conv, transformsOf(machine, conv).front(), vertex);
}

/// AMP on floats, with as many engines as out channels per group, and 8 in channels per group.
inline ConvCandidate floatAmp(const FactorSizes& sizes, std::uint32_t out_chans_per_group) {
  return onProduct(
      sizes, ElementType::Float,
      {ConvMethod::Amp, out_chans_per_group, 0, 1, 8, out_chans_per_group, ElementType::Float});
}

/// The candidates of all transforms.
inline std::vector<ConvCandidate> everyCandidate(const Architecture& machine,
                                                 const ConvProblem& problem) {
  std::vector<ConvCandidate> candidates;
  for (const TransformedConv& conv : transformsOf(machine, problem)) {
    for (const ConvCandidate& candidate : candidatesOf(machine, problem, conv)) {
      candidates.push_back(candidate);
    }
  }
  return candidates;
}

}  // namespace ipusim::workloads
