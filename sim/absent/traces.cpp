// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/part.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/trace_file.h"
#include "sim/interop/profiles/import.h"
#include "sim/interop/simgrid/simgrid.h"
#include "workloads/sources/trace/trace_workload.h"

namespace ipusim::workloads {

BuiltWorkload buildTrace(const ConfigReader& /*config*/, const Architecture& /*machine*/) {
  throw PartAbsent("traces");
}

}  // namespace ipusim::workloads

namespace ipusim::interop {

Json readResult(const std::filesystem::path& /*file*/) {
  throw PartAbsent("traces");
}

std::string simGridPlatform(const System& /*system*/) {
  throw PartAbsent("traces");
}

}  // namespace ipusim::interop

namespace ipusim::cli {

ConfigReader configOfTrace(const std::string& /*file*/, const std::vector<Override>& /*overrides*/,
                           const std::vector<Override>& /*limits*/) {
  throw PartAbsent("traces");
}

ExitCode traceCommand(const TraceArguments& /*arguments*/) {
  throw PartAbsent("traces");
}

}  // namespace ipusim::cli
