// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ipusim/machine.h"
#include "workloads/sources/trace/limits.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::workloads {

/// Reads a trace. A file is compressed as its name says: .ipt, .ipt.gz or .ipt.zst. `machine`
/// supplies parameters of vertex types that the trace leaves out. The graph is checked: its regions
/// are in their variables, every element has a tile, and no two vertices write the same element.
/// Throws ConfigError, "file:line: key: wanted ..., found ...", for anything else.
Trace readTrace(const std::filesystem::path& file, const Architecture& machine,
                const TraceLimits& limits = {});

/// Reads the first line of a trace.
TraceHeader readTraceHeader(const std::filesystem::path& file, const TraceLimits& limits = {});

/// Reads a trace from its text. `name` stands for the file in messages.
Trace parseTrace(std::string_view text, const std::string& name, const Architecture& machine,
                 const TraceLimits& limits = {});

}  // namespace ipusim::workloads
