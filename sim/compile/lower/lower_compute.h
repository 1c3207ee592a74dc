// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/lower/placement.h"

namespace ipusim::compiler {

/// The steps that run a compute set: those that bring its inputs, its vertices, and those that take
/// its outputs away. A compute set without vertices has no steps.
std::vector<Step> lowerComputeSet(const ComputeSet& compute_set, Placement& placement);

}  // namespace ipusim::compiler
