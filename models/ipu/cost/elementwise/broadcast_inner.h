// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/elementwise/binary_op.h"

namespace ipusim::models {

/// One BroadcastVectorInner1D(InPlace) vertex. Each of `slices` parts has a vector of `length`
/// elements, which is applied `repeats` times in a row. A bias is one slice that is repeated for
/// every row.
struct BroadcastInnerShape {
  BinaryOpKind kind;  ///< add, subtract, multiply, divide of half or float
  std::uint64_t length;
  std::uint64_t slices;
  std::uint64_t repeats;
};

/// Tile cycles of a BroadcastVectorInner1D(InPlace) vertex with vectors of l elements, s slices and
/// b = ceil(repeats / W) blocks per worker. a|b stands for float|half. [x] is one where x holds,
/// and zero otherwise:
///
///   add, subtract  13 + W (w + loop) + 24, add in place 12
///   multiply       13 + W (17|24) + W (w + loop) + 12, in place 24: the start is charged twice
///   divide         14 + W ((19|24) + loop) + 4, in place 2
///   loop           s (17 [s > 1] + core(l, b)),   w = 17 | 19 + 7 [l odd]
///
///   core, first of what applies; a = l / 4
///     float  b = 0: 2
///            divide: l odd 9 + l (5 + 4 b), else 10 + (l / 2) (5 + 6 b)
///            others: 7 + l (8 + 2 b)
///     half add, subtract
///            b = 0: 1; l > 2048: 9 + l (5 + 9 b)
///            l a multiple of 8: 11 + 7 l / 8 for one block, else 12 + (13 + 2 b) l / 8
///            b = 1: 13 + l (5 + 9 b)
///            l a multiple of 4: 15 + a (11 + 2 floor(b / 2) + b mod 2), else 15 + l (5 + 9 b)
///     half multiply
///            l no multiple of 4: 8 + l (5 + 9 b); 1D in place 9 + a (7 + 2 b)
///            l > 2044: 11 + a (7 + 2 b); b < 2: 13 + a (7 + 2 b), else 13 + a (9 + b)
///     half divide, p = floor(l / 2) - 1, i = 12 + 9 p, j = 24 + 10 p
///            b = 0: 2; l = 1: 24 for one block, else 20 + 8 ceil(b / 2)
///            l odd: 10 + floor(b / 2) (i + j) + [b odd] (i + 8), else 14 + (l / 2) (5 + 8 b)
///
/// The estimators follow the paths of the assembly. It works with vectors of 8 bytes where the
/// length allows it and as far as its strides reach, and element by element otherwise.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: half and float.
Cycles broadcastInnerCycles(const Architecture& machine, const BroadcastInnerShape& shape);

/// A vector, and how many times in a row it is applied.
struct InnerBlocks {
  std::uint64_t length;
  std::uint64_t blocks;
};

/// One BroadcastVectorInner2D(InPlace) vertex, for a list of vectors, each with its blocks.
struct BroadcastInner2dShape {
  BinaryOpKind kind;
  std::vector<InnerBlocks> vectors;
};

/// Issue slots of the vertex on one worker:
///
///   start + sum over vectors (entry + core(l, b)),   entry 9 | 15, 13 for multiply of half
///   start: add 7 (in place 6), subtract 8, multiply 6 (in place 7), divide 10 (in place 9)
///
/// core is as above, except that multiply in place costs as much as out of place.
/// Source: as above.
Cycles broadcastInner2dCycles(const BroadcastInner2dShape& shape);

}  // namespace ipusim::models
