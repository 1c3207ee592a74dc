// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/host_cost.h"

// What a campaign does not run: inputs that are right and surely take too long.

namespace ipusim::fuzz {

/// Throws ConfigError for a run that surely takes more than an execution of a campaign may, as
/// --max-time and --max-memory do.
void refuseExpensive(const run::RunWork& work);

/// Throws ConfigError for a run that surely takes too long with a check of its numbers. A fuzzer
/// repeats such a check thousands of times.
void refuseLongCheck(const run::RunWork& work);

}  // namespace ipusim::fuzz
