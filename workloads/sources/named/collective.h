// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// A collective among all IPUs of a system, or among groups of them. Each IPU has a tensor of
/// `elements`, spread evenly over its tiles. Throws ConfigError for one IPU.
BuiltWorkload buildCollective(const ConfigReader& config, const System& system);

/// What building the collective surely takes.
LeastSize leastCollective(const ConfigReader& config, const System& system);

}  // namespace ipusim::workloads
