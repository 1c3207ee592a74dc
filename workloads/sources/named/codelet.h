// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "codelet": one vertex, once on each of some tiles, timed by the tile's cycle counter.
/// Keys: codelet (a name of `ipusim list codelets`) and its parameters; tiles = a list of tile
/// numbers, all tiles without it.
BuiltWorkload buildCodelet(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
