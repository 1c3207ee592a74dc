// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Whether values or their magnitudes are counted.
enum class HistogramOf : std::uint8_t { Values, Magnitudes };

/// What the workers of a Histogram1D vertex share out.
enum class HistogramSplit : std::uint8_t { ByData, ByLimits };

struct HistogramKind {
  ElementType type;  ///< half or float
  HistogramOf of;
  std::uint64_t counts;  ///< c: one more than the number of limits
};

/// Tile cycles of a Histogram1D vertex on n elements, all W workers. a is 1 for magnitudes, V is
/// the number of elements of a vector, and d(n) is what a pass over the data takes:
///
///   by limits  W (30 + X ceil((c - 1) / W) + 2 (c - 1)),  X = 11 | 17 + d(n) for float|half
///   by data    W ((37|38) + Y (c - 1)),  Y = (3 + a) ceil(floor(n / V) / W)
///              + (float 17 + (3 + a) [n odd]; half 19 + (3 + a) ([n & 1] + [n & 2]))
///   d(n)       float (3 + a) floor(n / 2) + (2 + a) [n odd];
///              half (3 + a) (floor(n / 4) + [n & 1] + [n & 2])
///
/// Each limit is a pass that counts the elements below it.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles histogramCycles(const Architecture& machine, const HistogramKind& kind, HistogramSplit split,
                       std::uint64_t elements);

/// Issue slots of a Histogram2D vertex on one worker, with r regions:
///
///   7 + (3|5) + (c - 1) ((15|22) + sum of d(n)) + 3 r + 10 + 2 (c - 1)
///
/// Source: as above.
Cycles histogram2dCycles(const HistogramKind& kind, const std::vector<std::uint64_t>& regions);

}  // namespace ipusim::models
