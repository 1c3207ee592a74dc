// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// The vertices that can compute the transformed convolution `params`, with all their grains, in
/// the order of ConvMethod.
std::vector<ConvVertex> verticesOf(const Architecture& machine, const ConvProblem& problem,
                                   const ConvParams& params);

}  // namespace ipusim::workloads
