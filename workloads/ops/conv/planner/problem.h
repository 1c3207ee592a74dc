// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// What errors call the problem: "convolution" or "matmul".
const char* nounOf(const ConvProblem& problem);

/// The problem in canonical form, with partials as precise as the output at least. Throws
/// ConfigError where planConv does, but for a method that cannot compute the convolution.
ConvProblem preparedProblem(const ConvProblem& problem);

}  // namespace ipusim::workloads
