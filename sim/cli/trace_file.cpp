// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_file.h"

#include <algorithm>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/machine.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim::cli {

workloads::Trace readTraceFile(const std::string& file) {
  return workloads::readTrace(findConfigFile(file, {}), readPreset(kUsualMachine));
}

std::string presetOf(const workloads::Trace& trace) {
  const std::vector<std::string> names = presetNames();
  const bool is_known = std::find(names.begin(), names.end(), trace.header.machine) != names.end();
  return is_known ? trace.header.machine : kUsualMachine;
}

}  // namespace ipusim::cli
