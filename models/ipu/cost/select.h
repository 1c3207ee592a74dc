// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Issue slots of a Select vertex on one worker, `regions` elements of each run:
/// 5 + sum (6 + 5 n). Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no. Valid for: half and float.
Cycles selectCycles(const std::vector<std::uint64_t>& regions);

/// The same of a Clamp vertex: 5 + sum (6 + floor(2 (n + V - 1) / V)), V elements of a vector. Same
/// source.
Cycles clampCycles(const Architecture& machine, ElementType type,
                   const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
