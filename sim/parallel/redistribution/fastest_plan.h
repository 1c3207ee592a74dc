// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/redistribution/pod_price.h"

namespace ipusim::parallel {

/// The plan from `source` to `target` that takes least time by `price`, of all plans with at most
/// one permutation that never let a device hold more elements than the larger type asks for. A step
/// may go along several axes at once.
Plan fastestPlan(const ArrayType& source, const ArrayType& target, const Mesh& mesh,
                 const PodPrice& price);

}  // namespace ipusim::parallel
