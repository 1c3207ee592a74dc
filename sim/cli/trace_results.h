// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/cli/arguments.h"
#include "sim/cli/exit_code.h"

// The subcommands of `ipusim trace` for results and for traces of other tools.

namespace ipusim::cli {

ExitCode traceImport(const TraceImportArguments& arguments);
ExitCode traceExport(const TraceExportArguments& arguments);
ExitCode traceDiff(const TraceDiffArguments& arguments);

}  // namespace ipusim::cli
