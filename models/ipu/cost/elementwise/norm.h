// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/units.h"

namespace ipusim::models {

/// Issue slots of an InverseStdDeviation vertex on one worker: 6 + sum (4 + 5 ceil(n / 2)),
/// whatever the types. Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles inverseStdDeviationCycles(const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
