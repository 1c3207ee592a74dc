// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/execute/check.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// The result of a check, and how far off the numbers may be.
struct NumberCheck {
  executor::CheckResult found;
  double tolerance;  ///< largest |error| besides the slack, divided by the scale of its output
  /// Names of results that were not compared, because the host cannot read them.
  std::vector<std::string> unchecked;
};

/// Why the program of an experiment, or that of a layer, does not fit. Nothing when all fit.
std::optional<OutOfMemory> outOfMemory(const Experiment& experiment);

/// Executes the compiled program with random numbers, and compares the results in tile memory with
/// those that the workload expects. Of layers that are programs of their own it executes all, and
/// returns the largest error. Throws ConfigError for a workload without a reference, and for
/// one of whose results none can be read.
NumberCheck checkNumbers(const Experiment& experiment, const executor::CheckOptions& options = {});

}  // namespace ipusim::run
