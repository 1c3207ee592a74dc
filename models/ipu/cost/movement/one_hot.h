// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"
#include "models/ipu/cost/data_type.h"

namespace ipusim::models {

/// Cycles of an EncodeOneHot vertex on n indices: 11 + 74 n tile cycles from unsigned int to half.
/// Otherwise 100 n issue slots of one worker, which is a place-holder of the library.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: indices of 32 bits.
Cycles encodeOneHotCycles(DataType indices, DataType output, std::uint64_t count);

}  // namespace ipusim::models
