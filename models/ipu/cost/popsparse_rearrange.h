// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/ipu/element_type.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

// What the sparse library moves on a tile around its products, by its planner's estimates. Found
// from rows of the published functions (graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp,
// MIT), to the cycle. Valid for: half and float.

namespace ipusim::models {

/// Cycles of popsparse SparseGatherElementWise on `indices` indices, all workers: a worker takes
/// vectors of v elements (float 2, half 4). n = ceil(floor(indices / v) / W), r = indices mod v:
/// float: W (28 + (3 n, or 1 for n = 0) + [r] 2);
/// half:  W (29 + (5 n, or 2 for n = 0) + (0, 5, 5, 9 for r = 0 .. 3)).
Cycles sparseGatherCycles(const Machine& machine, ElementType type, std::uint64_t indices);

/// `blocks` square blocks that meet `columns` dense columns.
struct BlockTranspose {
  ElementType type;
  std::uint64_t block;  ///< 4, 8 or 16
  std::uint64_t blocks;
  std::uint64_t columns;  ///< a multiple of 8 (float) or 16 (half)
};

/// Cycles of popsparse BlockTransposeGradW, all workers; a worker has m = ceil(blocks / W):
/// W (37 + m (3 + columns / 8 (3 + 6 b))) on floats, with columns / 16 (3 + 23 b / 4) on halves.
Cycles sparseBlockTransposeCycles(const Machine& machine, const BlockTranspose& shape);

/// Cycles of transposing `matrices` matrices of `rows` x `columns` between passes, all workers.
/// Half: Transpose1D without the supervisor's saving, rows and columns multiples of 4. Float, m a
/// worker: 7 + W (29 + m (18 + R/2 (6 + 3 C/2))); two columns: 7 + W (27 + m (29 + 3 R/2));
/// 2x2: 7 + W (31 + 3 m).
Cycles sparseTransposeCycles(const Machine& machine, ElementType type, std::uint64_t matrices,
                             std::uint64_t rows, std::uint64_t columns);

}  // namespace ipusim::models
