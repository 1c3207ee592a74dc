// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Losses that are computed together with their gradient.
enum class Loss : std::uint8_t { SumSquared, CrossEntropy };

/// One LossSumSquaredTransform or LossCrossEntropyTransform vertex.
struct LossShape {
  Loss loss;
  ElementType type;  ///< half or float
  std::uint64_t elements;
};

/// Issue slots of the vertex on one worker:
///
///   float: 19 + 4 n, cross entropy 20 + 9 n
///   half:  22 + 4 floor(n / 2) + (6 if odd), cross entropy 23 + 9 floor(n / 2) + (11 if odd)
///
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles lossCycles(const LossShape& shape);

}  // namespace ipusim::models
