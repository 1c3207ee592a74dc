// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/host_cost.h"

// What a campaign does not run: inputs that are right and surely take too long.

namespace ipusim::fuzz {

/// Throws ConfigError for a run that surely takes more than an execution of a campaign may, as
/// --max-time and --max-memory do.
void refuseExpensive(const run::RunWork& work);

/// The same for a run and a check of its numbers, which a fuzzer repeats thousands of times.
void refuseLongCheck(const run::RunWork& work);

}  // namespace ipusim::fuzz
