// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "codelet": one vertex, placed once on each of some tiles, and timed by the tile's cycle
/// counter.
/// Keys: codelet (a name of `ipusim list codelets`) with its parameters; tiles = a list of tile
/// numbers (default: all tiles).
BuiltWorkload buildCodelet(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
