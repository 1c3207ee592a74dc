// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/cost/popsparse_elementwise.h"

namespace ipusim::models {

/// A vertex that multiplies square blocks, and what its slowest worker has to do.
struct SparseBlockShape {
  ElementType inputs;
  ElementType partials;
  std::uint64_t block;  ///< 4, 8 or 16
  SparseBuckets buckets;
  std::uint64_t rows;                    ///< rows of blocks
  std::uint64_t columns;                 ///< columns of the dense operand, of the worker
  std::vector<std::uint64_t> non_zeros;  ///< blocks of a row, one entry a bucket
  std::uint32_t conv_units = 16;         ///< matrix engines in use
  bool retains_rows = false;             ///< the position in the row is kept from block to block
};

/// Cycles of popsparse SparseDenseMatMulBlock, all workers. Each block is loaded into the matrix
/// engines, then all workers stream their columns through it. With x rows of Y blocks of size b, z
/// columns, L loads of the engines a block (2 where b = 16 meets 8 units, else 1), e elements a
/// load moves in a cycle (half 4, float 2):
///
///   walk + (Y (b b / e + 3 + 12 L) + retain) x + 2 + W (o + x Y L (i + c z - 3 retain))
///
///   o, c; i for z = 1, 2, more  half, float partials  half                 float
///   b = 4                       26, 2; 17, 18, 19     26, 2; 15, 16, 17    26, 4; 14, 14, 14
///   b = 8                       20, 4; 22, 23, 23     23, 4; 19, 20, 20    23, 8; 22, 22, 23
///   b = 16                      23, 4; 24, 25, 24     22, 4; 22, 23, 22    23, 4; 24, 25, 24
///
/// Half partials of b = 16 on 8 units are as float partials.
///
/// Source: graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT). Calibrated: no. Valid
/// for: half with half or float partials, float; 64-bit weight loads.
Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape);

/// The same for rows of unlike lengths, `blocks` in all; `shape.non_zeros` is not looked at.
Cycles sparseBlockCycles(const Architecture& machine, const SparseBlockShape& shape,
                         std::uint64_t blocks);

/// Cycles of popsparse SparseDenseMatMulBlockGradW, all workers; x rows of Y blocks, z columns:
///
///   walk + W (ov + x (xo + Y (yo + z c)))
///
///   ov, xo, yo, c  half, float partials  half             float
///   b = 4          26, 9, 33, 6          26, 9, 29, 6     27, 9, 45, 12
///   b = 8          26, 9, 113, 24        26, 9, 113, 24   24, 7, 208, 48
///   b = 16         27, 9, 505, 96        27, 9, 441, 96   27, 9, 505, 96
///
/// Same source. Calibrated: no. Valid for: as above.
Cycles sparseBlockGradWCycles(const Architecture& machine, const SparseBlockShape& shape);

/// Cycles of popsparse SparseDenseMatMulBlockAmpGradW, on the matrix engines, all workers:
///
///   walk + 23 + 8 (x - 1) + x sum over y of (32 + 10 (y - 1) + y (15 + 4 (n - 1) + n (8 + load)))
///        + W (5 + x Y (wn n - off (n - 1))),   n = ceil(z / g), g = 16 columns of half, 8 of float
///
///   load, wn, off  half, float partials  half        float
///   b = 4          8, 17, 2              8, 15, 1    8, 20, 1
///   b = 8          16, 27, 4             16, 27, 4   16, 33, 2
///   b = 16         32, 32, 4             32, 32, 4
///
/// Same source. Calibrated: no. Valid for: 8 and 16 engines.
Cycles sparseBlockAmpGradWCycles(const Architecture& machine, const SparseBlockShape& shape);

}  // namespace ipusim::models
