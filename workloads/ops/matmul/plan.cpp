// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan.h"

#include <fmt/format.h>

#include <utility>

#include "ipusim/error.h"

namespace ipusim::workloads {
namespace {

void requireSizes(const MatmulProblem& problem) {
  for (const std::uint64_t size : {problem.groups, problem.m, problem.k, problem.n}) {
    if (size >= 1 && size <= kMaxConvDimension) continue;
    throw ConfigError(
        fmt::format("matmul: wanted sizes from 1 to {}, found {}", kMaxConvDimension, size));
  }
}

}  // namespace

ConvProblem convOf(const MatmulProblem& problem) {
  check(isProduct(problem.pass), "the pass of a product");
  ConvProblem conv;
  conv.params.groups = problem.groups;
  conv.params.in_chans = problem.k;
  conv.params.out_chans = problem.m;
  conv.params.input = problem.input;
  conv.params.output = problem.output;
  conv.params.dims.resize(1);
  conv.params.dims.front().field = problem.n;
  conv.pass = problem.pass;
  conv.partials = problem.partials;
  conv.available_memory_proportion = problem.available_memory_proportion;
  conv.method = problem.method;
  conv.serial = problem.serial;
  conv.combining = problem.combining;
  return conv;
}

MatmulPlan planMatmul(const Architecture& machine, const MatmulProblem& problem) {
  requireSizes(problem);
  MatmulPlan plan{OperandOrder::Swapped, planConv(machine, convOf(problem))};
  if (!std::exchange(plan.conv.transforms.swap, false)) return plan;
  plan.order = OperandOrder::AsGiven;
  std::swap(plan.conv.params.out_chans, plan.conv.params.dims.front().field);
  return plan;
}

}  // namespace ipusim::workloads
