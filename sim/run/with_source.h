// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "models/ipu/machine/execution_record.h"
#include "workloads/sources/workload.h"

namespace ipusim::run {

/// Does `work` on the graph of a workload. Throws ConfigError for mistakes in a graph that was
/// read.
template <typename Work>
auto withSource(const workloads::BuiltWorkload& workload, const Work& work) {
  if (workload.source.empty()) return work();
  return translateErrors<GraphError>(work, [&](const GraphError& error) {
    std::string place = oneLine(workload.source, 4 * kQuotedLength);
    const bool has_line =
        workload.record_line > 0 && dynamic_cast<const RecordError*>(&error) != nullptr;
    if (has_line) place += ':' + std::to_string(workload.record_line);
    return ConfigError(place + ": " + error.what());
  });
}

}  // namespace ipusim::run
