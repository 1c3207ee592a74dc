// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// True when `pass` belongs to a layer that trains.
bool isTraining(MatmulPass pass);

/// The forward, backward and weight-update products of a layer. `problem` is one of the three.
std::array<MatmulProblem, 3> trainingPasses(const MatmulProblem& problem);

/// A joint plan as one of its passes sees it. The backward pass swaps the field and the in channels
/// of the forward pass. The weight update swaps out channels and in channels. The weights stay
/// where they are.
PlanCandidate jointCandidateOf(const Architecture& machine, const PlanCandidate& forward,
                               MatmulPass pass);
PlanPoint jointPointOf(const PlanPoint& forward, MatmulPass pass);

}  // namespace ipusim::workloads
