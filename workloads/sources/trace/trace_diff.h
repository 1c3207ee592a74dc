// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/sources/trace/trace.h"

namespace ipusim::workloads {

/// How one thing differs between two traces.
struct TraceDifference {
  std::string thing;   ///< such as "variable x"
  std::string first;   ///< what the first trace has; empty when it has no such thing
  std::string second;  ///< what the second trace has; empty when it has no such thing
};

/// What differs between two traces, in the order of the first. Things are found by their kind and
/// name; of several with one name, the first of one trace is compared with the first of the other.
/// Vertex types that only a trace knows are compared by their cycles on `machine`.
std::vector<TraceDifference> differences(const Trace& first, const Trace& second,
                                         const Architecture& machine);

}  // namespace ipusim::workloads
