// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// One exchange of messages of `bytes` (a multiple of 4) between `tiles` tiles (default: all):
///
///   all_to_all    every tile sends a different message to every other tile
///   broadcast     tile 0 sends one message to all others
///   gather        every tile sends one message to tile 0
///   neighbour     every tile sends one message to the next tile, the last one to tile 0
///   permutation   every tile sends one message to one other tile, at random (`seed`)
BuiltWorkload buildExchangePattern(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
