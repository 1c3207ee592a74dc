// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/exit_code.h"
#include "sim/cli/options/arguments.h"

namespace ipusim::cli {

/// Plays the records of a file and prints what they took. WrongNumbers where that are not the
/// cycles of the run.
ExitCode poplarReplay(const PoplarReplayArguments& arguments);

}  // namespace ipusim::cli
