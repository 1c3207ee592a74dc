// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/cli/options/arguments.h"
#include "sim/cli/watch/run_watch.h"

// The subcommands of `ipusim trace` for results and for traces of other tools. Each returns its
// answer. `limits` are what a trace may hold.

namespace ipusim::cli {

std::string traceImport(const TraceImportArguments& arguments);
std::string traceExport(const TraceExportArguments& arguments, const std::vector<Override>& limits,
                        RunWatch& watch);
std::string traceDiff(const TraceDiffArguments& arguments, const std::vector<Override>& limits,
                      RunWatch& watch);

}  // namespace ipusim::cli
