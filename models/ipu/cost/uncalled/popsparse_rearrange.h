// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

// What the sparse library moves on a tile around its products, by the estimates of its planner.
// Source: graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT).
// Calibrated: no.
// Valid for: half and float.

namespace ipusim::models {

/// Cycles of popsparse SparseGatherElementWise on n indices, all workers. a|b stands for
/// float|half:
///
///   18 + W (23 + max(vc, vc + rest - ((3|5) if v > 0)))
///   v = ceil(floor(n / (2|4)) / W),  vc = (5|8) + (3|5) (v - 1), nothing for v = 0
///   rest = float 5 for an odd n; half 0, 10, 10, 14 for n mod 4 = 0 .. 3
///
/// The worker with the rest has one vector less than the others, if there are vectors.
Cycles sparseGatherCycles(const Architecture& machine, ElementType type, std::uint64_t indices);

/// `blocks` square blocks, each with `columns` dense columns.
struct BlockTranspose {
  ElementType type;
  std::uint64_t block;  ///< 4, 8 or 16
  std::uint64_t blocks;
  std::uint64_t columns;  ///< a multiple of 8 (float) or 16 (half)
};

/// Cycles of popsparse BlockTransposeGradW, all workers. b is the size of a block:
///
///   18 + W (34 + ceil(blocks / W) (3 + floor(columns / (8|16)) (3 + t)))
///   t = 12 floor(b / 2) | 23 floor(b / 4)
Cycles sparseBlockTransposeCycles(const Architecture& machine, const BlockTranspose& shape);

/// `matrices` matrices of `rows` x `columns` elements.
struct SparseTranspose {
  std::uint64_t matrices;
  std::uint64_t rows;  ///< rows and columns: multiples of 2 (float) or 4 (half)
  std::uint64_t columns;
};

/// Cycles of transposing matrices between passes, all workers. It works in grains of g = 2|4
/// elements with k = 3|4 slots each. r = rows / g, c = columns / g, m = ceil(matrices / W):
///
///   7 + W t;  t: r = c = 1: 29 for m = 1, else 37 + k (m - 2);  c = 1: 27 + m (35 + k (r - 2));
///   else 29 + m (18 + r (12 + k (c - 2)))
Cycles sparseTransposeCycles(const Architecture& machine, ElementType type,
                             const SparseTranspose& shape);

}  // namespace ipusim::models
