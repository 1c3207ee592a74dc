// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/run/host_cost.h"

namespace ipusim::report {

/// Describes what a run of `cost` takes beyond `limits`, such as "about 103 s, more than 30.0 s".
/// None when the run is neither surely too long nor surely too large.
std::optional<std::string> describeExcess(const run::HostCost& cost, const run::HostLimits& limits);

}  // namespace ipusim::report
