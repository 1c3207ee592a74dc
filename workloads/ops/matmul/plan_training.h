// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// Whether `pass` belongs to a layer that trains.
bool isTraining(MatmulPass pass);

/// The forward, backward and weight-update products of the layer that `problem`, one of the three,
/// belongs to.
std::array<MatmulProblem, 3> trainingPasses(const MatmulProblem& problem);

/// A joint plan seen from one of its passes. The backward pass swaps field and in channels of the
/// forward one, the weight update out channels and in channels: the weights stay where they are.
PlanCandidate jointCandidateOf(const Architecture& machine, const PlanCandidate& forward,
                               MatmulPass pass);
PlanPoint jointPointOf(const PlanPoint& forward, MatmulPass pass);

}  // namespace ipusim::workloads
