// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cli/exit_code.h"
#include "sim/studies/sweep/expected_time.h"
#include "sim/studies/sweep/run_sweep.h"

// Answers of the commands that fill a store.

namespace ipusim::cli {

/// The path of the file, as a line of the answer shows it.
std::string shown(const report::OutputFolder& folder, const char* file);

/// The first interrupt lets points finish; the second ends them.
sweep::StopRequest stopRequestAfter(int interrupts);

/// Reports how many points of the store are damaged and will be computed again, if any.
void sayDamaged(const sweep::SweepStore& store);

/// The estimate as text, such as `600 points, about 12 s on 2 processes`.
std::string describeExpected(const sweep::ExpectedTime& expected);

/// Prints what is in the store, and what its points say. When points are missing, says how to go
/// on; the cause is an interrupt, or worker processes that gave up.
ExitCode answer(const report::OutputFolder& folder, const sweep::Sweep& sweep,
                const sweep::SweepStore& store, const sweep::SweepState& state);

}  // namespace ipusim::cli
