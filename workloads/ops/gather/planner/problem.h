// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/gather/planner/plan.h"

namespace ipusim::workloads {

/// Throws ConfigError where planEmbedding does, but for fixed splits that allow no plan.
void requirePlannable(const EmbeddingProblem& problem);

}  // namespace ipusim::workloads
