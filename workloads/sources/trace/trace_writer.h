// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/machine.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::workloads {

/// Writes a trace as JSON Lines (docs/reference/trace.md). Equal traces give equal bytes. A vertex
/// type of the table is written by its maker and parameters. Any other type is written with the
/// cycles that it takes on `machine`. Throws ConfigError for a graph that the format cannot hold.
std::string traceText(const Trace& trace, const Architecture& machine);

}  // namespace ipusim::workloads
