// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "models/ipu/energy/price.h"
#include "sim/run/simulate.h"

// What a run costs besides time, from the machine and the counts of its result.

namespace ipusim::run {

/// The energy of what `result` counts, and of its steps. Needs a time above zero, and
/// energy::whyUnpriced() to be empty. Leakage and platform are shared by tile cycles.
RunEnergy priceSteps(const energy::Site& site, const Result& result);

/// Sets the area of the chip and the energy of the run, or why there are none. The counts, the time
/// and the work of the result must be filled in.
void addCosts(const Experiment& experiment, RunResult& result);

}  // namespace ipusim::run
