// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/compile/placement.h"

namespace ipusim::compiler {

/// The steps that run a compute set: what brings its inputs, the vertices, what takes its outputs
/// away. No steps for a compute set without vertices.
std::vector<Step> lowerComputeSet(const ComputeSet& compute_set, Placement& placement);

}  // namespace ipusim::compiler
