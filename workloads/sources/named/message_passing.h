// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "message_passing": a loop over an operation of message passing, as a framework compiles
/// it. A program for the tiles of one IPU; all numbers are floats. Keys: see
/// docs/reference/config/message_passing.md.
BuiltWorkload buildMessagePassing(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
