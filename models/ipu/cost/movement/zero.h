// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Partials that a convolution vertex clears before it accumulates: `regions` equal runs of
/// elements.
struct ZeroShape {
  ElementType type;
  std::uint64_t elements;  ///< elements of one region
  std::uint64_t regions;   ///< conv groups x out-channel groups
};

/// The cycles that a convolution vertex spends on clearing its partials, all workers.
///
///   cycles = workers * regions * (ceil(ceil(elements / workers) / vector width) + 5)
///
/// A worker stores one vector per turn.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half and float partials of Nx1 and HMAC vertices.
Cycles zeroPartialsCycles(const Architecture& machine, const ZeroShape& shape);

}  // namespace ipusim::models
