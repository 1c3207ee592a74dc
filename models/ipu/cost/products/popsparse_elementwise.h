// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The buckets of meta-information that a tile goes through. There are `buckets` of them;
/// `with_info` of these hold something for the tile. A bucket is cut into `subgroups` on average.
struct SparseBuckets {
  std::uint64_t buckets = 1;
  std::uint64_t with_info = 1;
  std::uint64_t subgroups = 1;
};

/// The cycles that the supervisor takes to walk the buckets.
struct SparseWalk {
  std::uint64_t base;
  std::uint64_t per_foreign_subgroup;
  std::uint64_t per_subgroup;  ///< on average, half of the subgroups come before the wanted one
  std::uint64_t per_bucket;
};

/// The walk of both GradW vertices: 37, plus 38 once, however many buckets there are.
constexpr SparseWalk kSparseGradWWalk{75, 0, 26, 0};

Cycles sparseWalkCycles(const SparseWalk& walk, const SparseBuckets& buckets);

/// The products of a sparse layer: the result, the gradient of the dense operand with rows or with
/// columns of the pattern outermost, and the gradient of the non-zeros.
enum class SparsePass : std::uint8_t { Forward, GradA, Transpose, GradW };

/// The work of the slowest worker of an element-sparse vertex.
struct SparseElementShape {
  SparsePass pass;
  ElementType type;
  SparseBuckets buckets;
  std::uint64_t rows;                    ///< rows of the pattern for this worker
  std::uint64_t columns;                 ///< columns of the dense operand for this worker
  std::vector<std::uint64_t> non_zeros;  ///< non-zeros of a row, one entry per bucket
};

/// Cycles of popsparse SparseDenseMatMulElementWise, ...GradA, ...Transpose or ...GradW, all
/// workers: walk + W (ov + x (row + sum over y of (e + m y))), with x rows of y non-zeros and z
/// columns. Transpose deals out the non-zeros of a row, so ceil(y / W) stands for y.
///
///   ov, row, e, m of float  z = 4          z = 2          other
///   forward                 25, 13, 0, 3   27, 11, 0, 2   30, 13, E, M
///   GradA                   23, 13, 0, 3   25, 11, 0, 2   33, 13, E, M
///   Transpose               as other       as other       23, 24, 8, M
///   GradW                   30, 9, 0, 5    32, 7, 0, 4    34, 9, 0, M
///
///   ov, row, e, m of half   z = 8          z = 4          other
///   forward                 28, 15, 0, 3   30, 11, 0, 2   33, 12, E, M
///   GradA                   26, 15, 0, 3   28, 11, 0, 2   32, 11, E, M
///   Transpose               20, 18, 0, 10  20, 21, 0, 7   26, 22, 8, M
///   GradW                   30, 11, 0, 5   32, 10, 0, 4   35, 8, 0, M
///
///   forward, GradA (a | b)
///     float  E = (12 | 10) [z >= 4] + 8 [z & 2] + 8 [z & 1] + (3 if z mod 4, else 1)
///            M = 3 (z / 4) + 2 (z / 2) [z & 2] + 2 [z & 1]: pairs are all counted again
///     half   E = (16 | 14) [z >= 8] + 13 [z & 4] + (11 | 10) [z & 3]
///            M = 3 (z / 8) + 2 [z & 4] + 2 (z & 3)
///   Transpose  float M = (2 + 3 (z / 2)) [z >= 2] + 4 [z & 1]
///              half  M = (2 + 5 (z / 4)) [z >= 4] + (5 + 3 (z & 3)) [z & 3]
///   GradW      float M = 9 + z / 2 + z mod 2;  half M = 11 + z / 4 + 3 [z & 2] + 4 [z & 1]
///
/// A dense row is loaded in the widest pieces that its width allows, each with its own loop.
/// Source: graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT), which the vendor's
/// planner uses; the registered estimates of the vertices are zero.
/// Calibrated: no.
/// Valid for: half and float.
Cycles sparseElementCycles(const Architecture& machine, const SparseElementShape& shape);

/// The worker's part alone, in issue slots.
Cycles sparseElementWorkerCycles(const Architecture& machine, const SparseElementShape& shape);

/// Rows of a pattern that a worker goes through. They may have different lengths.
struct SparseRows {
  std::uint64_t rows = 0;
  std::uint64_t non_zeros = 0;  ///< non-zeros of all these rows
};

/// Issue slots of the forward pass over rows of different lengths in one bucket. All rows cost the
/// same besides their non-zeros, so only the sums count.
Cycles sparseForwardRowsCycles(ElementType type, std::uint64_t columns, const SparseRows& rows);

/// The rows of a tile dealt out to a number of workers.
using DealRows = std::function<std::vector<SparseRows>(std::uint64_t workers)>;

/// Cycles of a forward vertex on one bucket, all workers. The workers share its rows and, in pairs
/// of vectors, its columns, in the way that makes the slowest worker the fastest.
///
/// The vendor's library also splits a tile between its workers in both directions, by a rule that
/// is not restated here: every way to write W as row shares x column shares is tried.
Cycles sparseForwardTileCycles(const Architecture& machine, ElementType type, std::uint64_t columns,
                               const DealRows& deal);

}  // namespace ipusim::models
