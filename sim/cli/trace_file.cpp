// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_file.h"

#include <algorithm>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/machine.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim::cli {

workloads::Trace readTraceFile(const std::string& file) {
  const std::filesystem::path path = findConfigFile(file, {});
  return workloads::readTrace(path, readPreset(presetOf(workloads::readTraceHeader(path))));
}

std::string presetOf(const workloads::TraceHeader& header) {
  const std::vector<std::string> names = presetNames();
  const bool is_known = std::find(names.begin(), names.end(), header.machine) != names.end();
  return is_known ? header.machine : kUsualMachine;
}

}  // namespace ipusim::cli
