// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/sources/trace/trace.h"

namespace ipusim::cli {

/// The machine of a trace that names none.
constexpr const char* kUsualMachine = "gc200";

/// Reads a trace that a user named. Its machine supplies parameters that vertex types leave out.
workloads::Trace readTraceFile(const std::string& file);

/// The preset that a trace names as its machine, or the usual one if there is no such preset.
std::string presetOf(const workloads::TraceHeader& header);

}  // namespace ipusim::cli
