// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// The candidate of a plan that comes from a file, where a search for the problem could come to it:
/// the vertex and the convolution are among those that are tried, and the splits are within them
/// and the tiles. Only these parts of the plan are looked at. None for any other plan.
std::optional<PlanCandidate> candidateOf(const Architecture& machine, const MatmulProblem& problem,
                                         const MatmulPlan& plan);

}  // namespace ipusim::workloads
