// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// One message of `bytes` (a multiple of 4) from tile `from` to tile `to`. Its time is the sync,
/// the start delay and the words on the wire.
BuiltWorkload buildExchangeLatency(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
