// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/machine.h"
#include "workloads/sources/trace/trace.h"

// Traces as the files that commands name. `limits` are what a trace may hold, as `tiles=8`.

namespace ipusim::cli {

/// The machine of a trace that names none.
constexpr const char* kUsualMachine = "gc200";

/// Reads a trace that a user named. Its machine supplies parameters that vertex types leave out.
workloads::Trace readTraceFile(const std::string& file, const std::vector<Override>& limits);

/// Throws ConfigError where the reader refuses `text`, which a command made of the trace `file`.
void expectLegalTrace(const std::string& text, const Architecture& machine, const std::string& file,
                      const std::vector<Override>& limits);

/// The tiles of all IPUs that the trace `file` was made for. Throws ConfigError for a machine that
/// is not there.
Architecture machineOf(const workloads::TraceHeader& header, const std::string& file);

/// A config that runs the trace `file` on the machine that the trace was made for.
ConfigReader configOfTrace(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits);

}  // namespace ipusim::cli
