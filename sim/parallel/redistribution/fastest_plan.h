// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/parallel/redistribution/pod_price.h"

namespace ipusim::parallel {

/// A plan with what the devices do in each of its steps.
struct SteppedPlan {
  Plan plan;
  std::vector<DeviceStep> steps;
};

/// The plan from `source` to `target` that takes least time by `price`, of all plans with at most
/// one permutation that never let a device hold more elements than the larger type asks for. A step
/// may go along several axes of a dimension at once. It joins no gathers of different dimensions.
///
/// The search prices a bounded number of permutations. Where that does not suffice, the plan is the
/// faster one of findPlan()'s, if there are any. Nothing: none could be found.
std::optional<SteppedPlan> fastestPlan(const ArrayType& source, const ArrayType& target,
                                       const Mesh& mesh, const PodPrice& price);

}  // namespace ipusim::parallel
