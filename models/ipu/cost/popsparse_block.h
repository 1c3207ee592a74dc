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
///   o, i and c by block and types; i also by z = 1, 2, more.
///
/// Source: graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT). Calibrated: no. Valid
/// for: half with half or float partials, float; 64-bit weight loads.
Cycles sparseBlockCycles(const Machine& machine, const SparseBlockShape& shape);

/// The same for rows of unlike lengths, `blocks` in all; `shape.non_zeros` is not looked at.
Cycles sparseBlockCycles(const Machine& machine, const SparseBlockShape& shape,
                         std::uint64_t blocks);

/// Cycles of popsparse SparseDenseMatMulBlockGradW, all workers: 26 (s + 1) / 2 a bucket and
/// x (r + Y (a + c z)) around a constant, by block and types. Found from rows of the published
/// function, to the cycle; Valid for: as above.
Cycles sparseBlockGradWCycles(const Machine& machine, const SparseBlockShape& shape);

/// The same on the matrix engines (...AmpGradW): 120 + 26 (s + 1) / 2 a bucket
/// + x (30 + Y (a + c ceil(z / g))), g = 16 columns of half or 8 of float at a time.
Cycles sparseBlockAmpGradWCycles(const Machine& machine, const SparseBlockShape& shape);

}  // namespace ipusim::models
