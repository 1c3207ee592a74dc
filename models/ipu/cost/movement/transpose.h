// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/pointer_layout.h"

namespace ipusim::models {

/// The vertex types that transpose matrices in a tile's memory.
enum class TransposeVertex : std::uint8_t {
  Transpose2D,              ///< one worker, any size, one pointer per matrix
  Transpose1D,              ///< all workers, each with whole matrices
  Transpose1DSingleWorker,  ///< as Transpose1D, but on one worker
  SplitTranspose1D,         ///< all workers, each with a piece of a matrix
};

/// `matrices` matrices, each of `rows` x `columns` before the transpose.
struct TransposeShape {
  TransposeVertex vertex;
  Bytes element;  ///< 2 or 4; only 2 for the 1D kinds
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t matrices;
  PointerLayout layout = PointerLayout::Plain;
};

/// The vertex type for a tile that holds these matrices one after the other. The 1D kinds move
/// blocks of 4x4 two-byte elements. One worker has up to four blocks. Workers have pieces of
/// matrices when there is at most one matrix per two workers, and otherwise whole matrices.
/// Source: graphcore/poplibs lib/popops/Rearrange.cpp (MIT).
TransposeVertex transposeVertexFor(const Architecture& machine, Bytes element, std::uint64_t rows,
                                   std::uint64_t columns, std::uint64_t matrices);

/// Tile cycles of Transpose1D and SplitTranspose1D, issue slots of one worker for the other two. R
/// rows, C columns, M matrices, W workers; r = R/4, c = C/4.
///
/// Transpose2D
///   4 bytes, R and C even, R (C-2)/2 < 512, R < 512:   27 + M (11 + R/2 (6 + 3 (C/2 - 1)))
///           else                                       13 + M (8 + C (5 + 2 R))
///   2 bytes, R and C multiples of 4, c >= 2:           39 + M (12 + r (15 + 4 (c - 2)))
///                                    4x4:              34 + 15 M
///                                    c = 1:            30 + M (37 + 4 (r - 2))
///           else                                       15 + M (8 + C (5 + floor(5 R / 2)))
/// Transpose1DSingleWorker   t(M) + s Transpose1D               7 + W (t(ceil(M/W)) + s - 7) + 2 s
///   t(m): 4x4: 29 for one matrix, else 37 + 4 (m - 2);  c = 1: 27 + m (35 + 4 (r - 2));
///         else 29 + m (18 + r (12 + 4 (c - 2)))
/// SplitTranspose1D          7 + W (p + s - 7)
///   Each matrix has floor(W/M) workers. They share its r rows of blocks; where there are fewer
///   rows than workers, several share the c columns of a row. For the largest piece, of a x b
///   blocks: p: 1x1: 29;  b = 1: 45 + 4 (a - 2);  else 27 + a (12 + 4 (b - 2))
/// s = 1 for scaled pointers, else 0.
///
/// A worker moves a 4x4 block of halves in 4 slots, a 2x2 block of floats in 3.
/// Source: graphcore/poplibs, branch sdk-release-2.2, lib/popops/popopsCycleEstimators.cpp (MIT),
/// the last public version.
/// Calibrated: no.
/// Valid for: sizes inside the hardware's loop counters; SplitTranspose1D up to W matrices.
Cycles transposeCycles(const Architecture& machine, const TransposeShape& shape);

}  // namespace ipusim::models
