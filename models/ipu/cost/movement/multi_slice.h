// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/movement/slice.h"

namespace ipusim::models {

/// The indices that a vertex looks up.
struct LookUps {
  std::uint64_t offsets;   ///< n: number of indices
  std::uint64_t in_range;  ///< r: how many of them are in the part of the table that the tile holds
  bool sorted = false;     ///< the vertex searches for its first offset
  std::uint64_t offsets_per_entry = 0;  ///< d: expected number per entry of the table, when sorted
};

/// How the workers share a MultiSlice vertex.
enum class SliceSplit : std::uint8_t {
  Offsets,      ///< each worker takes some offsets
  SingleRegion  ///< each worker takes a part of the slice of a single offset
};

/// One MultiSlice or MultiUpdate vertex.
struct MultiSliceShape {
  SliceDirection direction;
  Bytes element;           ///< 1, 2 or 4
  std::uint64_t elements;  ///< elements of a slice
  LookUps look_ups;
  SliceSplit split = SliceSplit::Offsets;
};

/// Tile cycles of the vertex:
///
///   W (30 (update 29) + r (19 + c ceil(elements / w)) + 8 (n - r))
///   (c, w): 2 for 2 elements of 2 or 4 bytes, 3 for 4 bytes; a single region has a share of W
///
/// When sorted, indices out of range cost nothing, but the search takes 20 ceil(log2 n) + 15 d +
/// 29.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles multiSliceCycles(const Architecture& machine, const MultiSliceShape& shape);

/// What a MultiUpdateOp does with the slice that it finds.
enum class UpdateOp : std::uint8_t {
  ScaledAdd,  ///< ScaledMultiUpdateOp
  Maximum,
  Multiply,
};

/// How half elements are written.
enum class SubWordWrites : std::uint8_t { Avoided, Needed };

/// One MultiUpdateOp or ScaledMultiUpdateOp vertex.
struct MultiUpdateShape {
  UpdateOp op;
  ElementType type;
  ElementType scale;
  std::uint64_t elements;  ///< elements of a slice
  LookUps look_ups;
  Bytes atomic_store = Bytes(4);
  SubWordWrites sub_word = SubWordWrites::Avoided;
  /// Charges a scale to other operators than ScaledAdd too, as the published planner does. No
  /// vertex is so.
  bool scaled_anyway = false;
};

/// Tile cycles of the vertex, for slices of e elements. a is the number of elements that whole
/// atomic stores take:
///
///   W (start + r update + 5 (n - r)); `start` alone, not times W, where there are no offsets
///   start  = 32 (half 33) + (scaled 6, half 4) - (1 for the sizes marked *)
///   update = 11 (half 12, scaled half 13) + (e / a - 1) (3, halves scaled by a float 4)
///            * scaled: 8 for two and 16 for four 4-byte elements, 9 for four halves, by a float 12
///            11 (12, 13) + 20 e where words are written in parts, for the sizes marked * too
///
/// When sorted, indices out of range cost nothing, but the start has 20 ceil(log2 n) + 15 d + 24
/// more for the search. Some sizes have their own code. The vertex enters it by the size alone, and
/// leaves it for the general loop when words are written in parts.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: elements of 2 and 4 bytes; e a multiple of a, unless words are written in parts.
Cycles multiUpdateCycles(const Architecture& machine, const MultiUpdateShape& shape);

}  // namespace ipusim::models
