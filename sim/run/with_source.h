// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/message.h"
#include "ipusim/error.h"
#include "ipusim/execution_record.h"
#include "workloads/sources/workload.h"

namespace ipusim::run {

/// Does `work` on the graph of a workload. Throws ConfigError for mistakes in a graph that was
/// read.
template <typename Work>
auto withSource(const workloads::BuiltWorkload& workload, const Work& work) {
  const std::string file = oneLine(workload.source, 4 * kQuotedLength);
  try {
    return work();
  } catch (const RecordError& error) {
    if (workload.source.empty()) throw;
    if (workload.record_line == 0) throw ConfigError(file + ": " + error.what());
    throw ConfigError(file + ':' + std::to_string(workload.record_line) + ": " + error.what());
  } catch (const GraphError& error) {
    if (workload.source.empty()) throw;
    throw ConfigError(file + ": " + error.what());
  }
}

}  // namespace ipusim::run
