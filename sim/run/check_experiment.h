// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/check/check.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// Executes the compiled program with random numbers, and compares what it leaves in tile memory
/// with what the workload says it should be.
checker::CheckResult checkNumbers(const Experiment& experiment);

}  // namespace ipusim::run
