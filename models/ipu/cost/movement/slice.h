// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// One DynamicSlice1D vertex: takes consecutive slices out of a tensor, or puts them into it. Their
/// index is known only at run time.
struct DynamicSliceShape {
  Bytes element;           ///< 1, 2, 4 or 8
  std::uint64_t elements;  ///< elements of a slice on this tile
  std::uint64_t slices;    ///< number of slices copied
};

/// Tile cycles of a DynamicSlice1D vertex, spread over all workers W:
///
///   25 + W (39 + (24 + 2 k) slices)    elements of 2 and 4 bytes, those of 8 as two of 4
///   25 + W (76 + (72 + 2 k) slices)    bytes
///
/// with k = floor(ceil(elements / W) / e), where e elements fill 8 bytes (4 bytes for byte
/// elements). As published, the remainder of a slice costs nothing. An update costs as much as a
/// slice.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp, lib/popops/PerformanceEstimation
/// (MIT).
/// Calibrated: no.
Cycles dynamicSliceCycles(const Architecture& machine, const DynamicSliceShape& shape);

enum class SliceDirection : std::uint8_t {
  Slice,   ///< out of the tensor
  Update,  ///< into the tensor
};

/// One DynamicSlice2D or DynamicUpdateSlice2D vertex, for a list of regions.
struct DynamicSlice2dShape {
  SliceDirection direction;
  Bytes element;                       ///< 1, 2, 4 or 8
  std::vector<std::uint64_t> regions;  ///< elements of a slice in each region
  std::uint64_t slices;
};

/// Issue slots of the vertex on one worker:
///
///   27 + sum over regions (13 + slices * copy(n))
///   copy(n): 4 bytes 29 + ceil(n / 2), 2 bytes 31 + 2 ceil(n / 4),
///            bytes 50 + 2 ceil(n / 4) out of the tensor, 50 + 23 ceil(n / 4) into it,
///            8 bytes 29 + ceil(n / 2) out of it, as published, and 30 + n into it
///
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles dynamicSlice2dCycles(const Architecture& machine, const DynamicSlice2dShape& shape);

}  // namespace ipusim::models
