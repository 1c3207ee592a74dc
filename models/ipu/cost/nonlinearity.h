// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/pointer_layout.h"
#include "models/ipu/element_type.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

namespace ipusim::models {

/// One NonLinearityGrad1D vertex of relu, sigmoid or tanh, which cost the same.
struct NonLinearityGradShape {
  ElementType type;  ///< half or float
  std::uint64_t elements;
  PointerLayout pointers = PointerLayout::Plain;
};

/// Tile cycles of the vertex, all W workers; V elements of a vector:
///
///   9 + W (20 + (3 scaled pointers) + (5 + 3 (v - 1) if v > 0) + tail)
///   v = ceil(floor(n / V) / W); tail: float 4, + 4 for a rest;
///   half 6, + 5 for a rest of two or three, + 7 for an odd one
///
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT). Calibrated: no.
Cycles nonLinearityGradCycles(const Machine& machine, const NonLinearityGradShape& shape);

/// Issue slots of a NonLinearityGrad2D vertex on one worker, plain pointers, `regions` elements of
/// each run, v = floor(n / V):
///
///   17 + sum (8 + (5 + 3 (v - 1) if v > 0) + tail),  tail as above
///
/// Found from the rows of tests/oracle/nonlinearity.csv, which are of the published function. Same
/// source. Valid for: relu, sigmoid and tanh.
Cycles nonLinearityGrad2dCycles(const Machine& machine, ElementType type,
                                const std::vector<std::uint64_t>& regions);

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
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT). Calibrated: no.
Cycles lossCycles(const LossShape& shape);

/// Tile cycles of a ReduceMaxClassGather vertex, the first stage of an arg max: n elements, of
/// which a worker looks at `worker_elements`: 9 + W (30 + 3 min(worker_elements - 1, n - 1)). Same
/// source.
Cycles maxClassGatherCycles(const Machine& machine, std::uint64_t elements,
                            std::uint64_t worker_elements);

/// Issue slots of a ReduceMaxClassSparse vertex, its later stages: 24 + 3 n. Same source.
Cycles maxClassSparseCycles(std::uint64_t elements);

}  // namespace ipusim::models
