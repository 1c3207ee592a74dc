// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// What a BroadcastScalar vertex does to statistics of a norm.
enum class VarianceOp : std::uint8_t { InverseStdDevToVariance, VarianceToInverseStdDev };

/// A vertex of such an operation. The type is that of the elements. A vertex whose ends have two
/// types counts as float.
struct VarianceKind {
  VarianceOp op;
  ElementType type;  ///< half or float
};

/// Tile cycles of the 1D form on n elements, all W workers: 11 + W (20 + c ceil(ceil(n / W) / u)).
///
///   c / u                       float   half
///   inverse std dev to variance 11 / 2  10 / 2
///   variance to inverse std dev 12 / 2  24 / 4
///
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles varianceCycles(const Architecture& machine, const VarianceKind& kind,
                      std::uint64_t elements);

/// Issue slots of the 2D form on one worker: 20 + sum (28 + c ceil(n / u)).
/// Source: as above.
Cycles variance2dCycles(const VarianceKind& kind, const std::vector<std::uint64_t>& regions);

/// Tile cycles of a BroadcastScalar1DRelationalOpDualOutput vertex on n elements, all W workers. s
/// is ceil(n / W): float out 11 + W (35 + 8 s), half out 11 + W (56 + 23 ceil(s / 2)). Source: as
/// above.
Cycles relationalDualOutputCycles(const Architecture& machine, ElementType out,
                                  std::uint64_t elements);

}  // namespace ipusim::models
