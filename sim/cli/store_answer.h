// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cli/exit_code.h"
#include "sim/studies/sweep/expected_time.h"
#include "sim/studies/sweep/run_sweep.h"

// What the commands that fill a store say.

namespace ipusim::cli {

/// The version, and which build of it: a model that is being changed keeps its version.
std::string thisProgram();

/// The file as a line shows it.
std::string shown(const run::OutputFolder& folder, const char* file);

/// The first interrupt lets points finish, the second does not.
explore::Wish wishAfter(int interrupts);

/// Says how many points of the store are damaged and will be computed again, if any.
void sayDamaged(const explore::SweepStore& store);

/// `600 points, about 12 s on 2 processes`.
std::string describeExpected(const explore::ExpectedTime& expected);

/// Prints what is in the store or, where points are missing, says how to go on: after an interrupt,
/// or where processes that should compute them gave up and said why.
ExitCode answer(const run::OutputFolder& folder, const explore::SweepStore& store,
                const explore::SweepState& state);

}  // namespace ipusim::cli
