// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

// Vertices that find the places of the largest elements, and the accuracy of a classification.

namespace ipusim::models {

/// Tile cycles of a ReduceMaxClassGather or ReduceMinClassGather vertex, which is the first stage
/// of an arg max or arg min, on n elements. A worker looks at w = `worker_elements` of them:
///
///   half, float  9 + W (30 + 3 min(w - 1, n - 1))
///   integers     9 + W (22 + ceil(n / w) (6 w + 25))
///
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles classGatherCycles(const Architecture& machine, ElementType type, std::uint64_t elements,
                         std::uint64_t worker_elements);

/// Issue slots of a ReduceMaxClassSparse or ReduceMinClassSparse vertex, which is a later stage:
/// half and float 24 + 3 n, integers 23 + 6 n.
/// Source: as above.
Cycles classSparseCycles(ElementType type, std::uint64_t elements);

/// Whether the largest elements come out in order.
enum class TopOrder : std::uint8_t { Any, Sorted };

/// Issue slots of a ReduceMaxNClassSparse vertex, which finds the k largest of n elements:
///
///   35 + for i = 1 .. k - 1 (13 + 20 ln i) + (n - k) (13 + 20 ln k) + 8 k
///   sorted: + for i = k .. 1 (10 + 20 ln i)
///
/// The sum is cut to a whole number after each addition with a logarithm.
/// Source: as above.
Cycles maxNClassSparseCycles(std::uint64_t elements, std::uint64_t largest, TopOrder order);

/// Issue slots of a ReduceMaxNClassGather vertex: 12, and for each of the ceil(n / w) parts 23 more
/// than maxNClassSparseCycles() without its 35. The published estimate takes all n elements for
/// each part.
/// Source: as above.
Cycles maxNClassGatherCycles(std::uint64_t elements, std::uint64_t worker_elements,
                             std::uint64_t largest, TopOrder order);

/// Issue slots of a CalcAccuracy vertex: 14 + 4 n.
/// Source: as above.
Cycles accuracyCycles(std::uint64_t elements);

}  // namespace ipusim::models
