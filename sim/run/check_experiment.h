// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execute/check.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// What a check found, and how far off the numbers may be.
struct NumberCheck {
  checker::CheckResult found;
  double tolerance;  ///< largest |error| over largest |reference|
};

/// Executes the compiled program with random numbers, and compares what it leaves in tile memory
/// with what the workload says it should be. Throws ConfigError for a workload that cannot say.
NumberCheck checkNumbers(const Experiment& experiment, const checker::CheckOptions& options = {});

}  // namespace ipusim::run
