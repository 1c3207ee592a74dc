// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// What a vertex that sorts moves.
enum class SortForm : std::uint8_t {
  Keys,
  KeysWithValues,
  KeysThenValues,  ///< values decide where keys are equal
};

/// Issue slots of a HeapSortVertex or HeapSortVertexKV on one worker, n >= 1 elements: 8 (with
/// values 16) times (19 n floor(log2 n) + 6 n + 2).
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles heapSortCycles(SortForm form, std::uint64_t elements);

/// Comparisons of elements at one distance, in a row.
struct Comparisons {
  std::uint64_t distance;
  std::uint64_t count;
};

/// What one worker of a CompareAndSwapAtDistance vertex does.
struct CompareAndSwapWork {
  std::uint64_t initial_count;  ///< comparisons before, since the order changed
  std::uint64_t first_inner;    ///< comparisons until the first jump by the distance
  std::vector<Comparisons> entries;
};

struct CompareAndSwapShape {
  SortForm form;
  ElementType key;  ///< float, int or unsigned int
  std::uint64_t distance_to_change_order;
  std::vector<CompareAndSwapWork> work;  ///< one entry per worker
};

/// Tile cycles of a CompareAndSwapAtDistance or CompareAndSwapAtDistanceKeyVal vertex, which sort
/// and top-k are made of:
///
///   19 + W max over workers (fixed + sum over entries (entry + first + (n - 1) inner + outer1
///                                                      + outer ceil((n - k) / d) + 2 flips))
///   k = first_inner for the first entry, else min(d, n)
///   flips = 1 + floor((n - left) / D) where n >= left = D - initial_count, else 0
///
///                        inner first outer outer1 entry fixed
///   keys          float  13    13    13    3      17    40      int  12 12 17 3 22 42
///   with values   float  11    8     11    11     4     23      int  17 17 22 5 30 43
///   then values   float  25    25    24    6      30    45      int  27 27 25 7 30 49
///
/// D is distance_to_change_order.
/// Source: as above.
Cycles compareAndSwapCycles(const Architecture& machine, const CompareAndSwapShape& shape);

}  // namespace ipusim::models
