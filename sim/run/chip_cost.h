// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/run/simulate.h"

// What a run costs besides time, from the machine and the counts of its result.

namespace ipusim::run {

/// Sets the area of the chip and the energy of the run, or why there are none. The counts, the time
/// and the work of the result must be filled in. Leakage and platform are shared by tile cycles.
void addCosts(const Experiment& experiment, RunResult& result);

}  // namespace ipusim::run
