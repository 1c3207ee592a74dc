// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "workloads/sources/trace/limits.h"
#include "workloads/sources/trace/trace.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Builds the program of a trace: file, limits. Throws ConfigError where the machine has fewer
/// tiles than the trace names.
BuiltWorkload buildTrace(const ConfigReader& config, const Architecture& machine);

/// What a trace of `built` holds. The graph is moved out of it; its program is complete, with the
/// copies of the host.
Trace traceOf(BuiltWorkload&& built, const std::string& workload, const std::string& machine);

}  // namespace ipusim::workloads
