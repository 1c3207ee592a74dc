// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// All that planning the product takes, as bytes. Equal inputs have equal keys, and different ones
/// have different keys.
std::string planKey(const Architecture& machine, const ConvProblem& problem);

}  // namespace ipusim::workloads
