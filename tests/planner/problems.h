// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// A product of floats in a pass of training, or beside any.
inline MatmulProblem productIn(MatmulPass pass, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  MatmulProblem problem;
  problem.pass = pass;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  return problem;
}

}  // namespace ipusim::workloads
