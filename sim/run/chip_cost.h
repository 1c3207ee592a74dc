// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sim/run/simulate.h"

// What a run costs besides time, from the machine and the counts of its result.

namespace ipusim::run {

/// Sets the area of the chip, or why it has none.
void addArea(const Experiment& experiment, RunResult& result);

}  // namespace ipusim::run
