// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/exit_code.h"
#include "sim/cli/options/arguments.h"

// One subcommand per file. A subcommand turns arguments into an exit code, and computes nothing
// itself.

namespace ipusim::cli {

ExitCode runCommand(const RunArguments& arguments);
ExitCode checkCommand(const CheckArguments& arguments);
ExitCode sweepCommand(const SweepArguments& arguments);
ExitCode exploreCommand(const ExploreArguments& arguments);
ExitCode mergeCommand(const MergeArguments& arguments);
ExitCode validateCommand(const ValidateArguments& arguments);
ExitCode calibrateCommand(const CalibrateArguments& arguments);
ExitCode reproduceCommand(const ReproduceArguments& arguments);
ExitCode diffCommand(const DiffArguments& arguments);
ExitCode redistributeCommand(const RedistributeArguments& arguments);
ExitCode traceCommand(const TraceArguments& arguments);
ExitCode poplarCommand(const PoplarArguments& arguments);
ExitCode listCommand(const ListArguments& arguments);
ExitCode newCommand(const NewArguments& arguments);
ExitCode explainCommand(const ExplainArguments& arguments);

}  // namespace ipusim::cli
