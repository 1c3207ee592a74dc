// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The values that a HasNaNOrInf vertex looks for.
enum class NonFiniteValues : std::uint8_t { NaN, NaNOrInf };

struct HasNaNKind {
  ElementType type;  ///< half or float
  NonFiniteValues what;
};

/// Tile cycles of a HasNaNOrInf1D vertex on n elements, all W workers. V is the number of elements
/// of a vector. a|b stands for float|half. i is 1 when the vertex looks for infinities too:
///
///   24 + W (17 + h(m) + (7|11) + i)
///   m = ceil(floor(n / V) / W) V + n mod V: what the busiest worker gets, with the rest
///   h(m): float 10 + (m > 0: (2 + i) floor(m / 4) + 2 [m & 2] + [m & 1])
///         half  12 + 3 floor(m / 4) + 2 [m & 2] + [m & 1]
///         half and infinities 12 + 2 floor(m / 8) + 2 ([m & 4] + [m & 2] + [m & 1])
///
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles hasNaNCycles(const Architecture& machine, const HasNaNKind& kind, std::uint64_t elements);

/// Cycles of a HasNaNOrInf2D vertex: W (9 + sum of h over regions + (7|11) + i), or W without
/// regions. One worker runs it, but the published estimate counts all of them.
/// Source: as above.
Cycles hasNaN2dCycles(const Architecture& machine, const HasNaNKind& kind,
                      const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
