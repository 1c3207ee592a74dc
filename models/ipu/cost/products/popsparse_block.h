// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/cost/products/popsparse_elementwise.h"

namespace ipusim::models {

/// A vertex that multiplies square blocks, and the work of its slowest worker.
struct SparseBlockShape {
  ElementType inputs;
  ElementType partials;
  std::uint64_t block;  ///< 4, 8 or 16
  SparseBuckets buckets;
  std::uint64_t rows;                    ///< rows of blocks
  std::uint64_t columns;                 ///< columns of the dense operand for the worker
  std::vector<std::uint64_t> non_zeros;  ///< blocks of a row, one entry per bucket
  std::uint32_t conv_units = 16;         ///< number of matrix engines in use
  /// True when the position in the row is kept from one block to the next.
  bool retains_rows = false;
};

/// Cycles of popsparse SparseDenseMatMulBlock, all workers. Each block is loaded into the matrix
/// engines, and then all workers stream their columns through it. There are x rows of Y blocks of
/// size b, and z columns. L is the number of loads of the engines per block (2 when b = 16 meets 8
/// units, otherwise 1). e is the number of elements that a load moves per cycle (4 half, 2 float):
///
///   walk + (Y (b b / e + 3 + 12 L) + retain) x + 2 + W (o + x Y L (i + c z - 3 retain))
///
///   o, c; i for z = 1, 2, more  half, float partials  half                 float
///   b = 4                       26, 2; 17, 18, 19     26, 2; 15, 16, 17    26, 4; 14, 14, 14
///   b = 8                       20, 4; 22, 23, 23     23, 4; 19, 20, 20    23, 8; 22, 22, 23
///   b = 16                      23, 4; 24, 25, 24     22, 4; 22, 23, 22    23, 4; 24, 25, 24
///
/// Half partials with b = 16 on 8 units cost as much as float partials.
///
/// Source: graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half with half or float partials, float; 64-bit weight loads.
Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape);

/// Cycles of the vertex for rows of different lengths, with `blocks` blocks in all. Ignores
/// `shape.non_zeros`.
Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape,
                         std::uint64_t blocks);

/// Cycles of popsparse SparseDenseMatMulBlockGradW, all workers, with x rows of Y blocks and z
/// columns:
///
///   walk + W (ov + x (xo + Y (yo + z c)))
///
///   ov, xo, yo, c  half, float partials  half             float
///   b = 4          26, 9, 33, 6          26, 9, 29, 6     27, 9, 45, 12
///   b = 8          26, 9, 113, 24        26, 9, 113, 24   24, 7, 208, 48
///   b = 16         27, 9, 505, 96        27, 9, 441, 96   27, 9, 505, 96
///
/// Source: as above.
/// Calibrated: no.
/// Valid for: as above.
Cycles sparseBlockGradWCycles(const Architecture& machine, const SparseBlockShape& shape);

/// Cycles of popsparse SparseDenseMatMulBlockAmpGradW, which uses the matrix engines, all workers:
///
///   walk + 23 + 8 (x - 1) + x sum over y of (32 + 10 (y - 1) + y (15 + 4 (n - 1) + n (8 + load)))
///        + W (5 + x Y (wn n - off (n - 1))),   n = ceil(z / g), g = 16 columns of half, 8 of float
///
///   load, wn, off  half, float partials  half        float
///   b = 4          8, 17, 2              8, 15, 1    8, 20, 1
///   b = 8          16, 27, 4             16, 27, 4   16, 33, 2
///   b = 16         32, 32, 4             32, 32, 4
///
/// Source: as above.
/// Calibrated: no.
/// Valid for: 8 and 16 engines.
Cycles sparseBlockAmpGradWCycles(const Architecture& machine, const SparseBlockShape& shape);

}  // namespace ipusim::models
