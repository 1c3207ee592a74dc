// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "elementwise": one operator on tensors that are spread over all tiles.
/// Keys: op, elements, type ("half" or "float"), in_place ("no" or "yes").
BuiltWorkload buildElementwise(const ConfigReader& config, const Architecture& machine);

/// kind = "stream": a kernel of the STREAM benchmark, on tensors in tile memory that are spread
/// over all tiles. copy: c = a. scale: b = s c. add: c = a + b. triad: a = b + s c. A triad uses a
/// hand-written vertex ("assembly", float only) or the library: a copy of b and a scaled add.
/// Source: J. McCalpin, STREAM. Keys: kernel, elements, type ("half" or "float"), code ("library",
/// or "assembly" for a triad of float).
BuiltWorkload buildStream(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
