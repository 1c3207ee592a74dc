// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/ipu/element_type.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

namespace ipusim::models {

/// The buckets of meta-information that a tile goes through: `buckets` of them, `with_info` of
/// which hold something for it, each cut into `subgroups` on average.
struct SparseBuckets {
  std::uint64_t buckets = 1;
  std::uint64_t with_info = 1;
  std::uint64_t subgroups = 1;
};

/// Cycles the supervisor takes to walk the buckets.
struct SparseWalk {
  std::uint64_t base;
  std::uint64_t per_foreign_subgroup;
  std::uint64_t per_subgroup;  ///< half of the subgroups are met before the one that is wanted
  std::uint64_t per_bucket;
};
Cycles sparseWalkCycles(const SparseWalk& walk, const SparseBuckets& buckets);

/// Which product of a sparse layer: the result, the gradient of the dense operand with rows or
/// columns of the pattern outermost, the gradient of the non-zeros.
enum class SparsePass : std::uint8_t { Forward, GradA, Transpose, GradW };

/// What the slowest worker of an element-sparse vertex has to do.
struct SparseElementShape {
  SparsePass pass;
  ElementType type;
  SparseBuckets buckets;
  std::uint64_t rows;                    ///< rows of the pattern, of this worker
  std::uint64_t columns;                 ///< columns of the dense operand, of this worker
  std::vector<std::uint64_t> non_zeros;  ///< of a row, one entry a bucket
};

/// Cycles of popsparse SparseDenseMatMulElementWise, ...GradA, ...Transpose or ...GradW, all
/// workers: walk + W worker. Forward, with x rows, z columns and y non-zeros a row:
///
///   float: z = 4: 25 + x (13 + 3y); z = 2: 27 + x (11 + 2y)
///          else 30 + x (13 + [z/4](12 + (z/4) 3y) + [z&2](8 + (z/2) 2y) + [z&1](8 + 2y)
///                       + (3 if z%4 else 1))
///   half:  z = 8: 28 + x (15 + 3y); z = 4: 30 + x (11 + 2y)
///          else 33 + x (12 + [z/8](16 + (z/8) 3y) + [z&4](13 + 2y) + [z&3](11 + 2y (z&3)))
///
/// everything after the first term inside x (...) is added up over the entries of y. The other
/// passes have the same form; Transpose deals the non-zeros of a row out to the workers. Source:
/// graphcore/poplibs lib/popsparse/PerformanceEstimation.hpp (MIT), which the vendor's planner
/// uses; the vertices' registered estimates are zero. Forward as published; the other passes were
/// found from rows of the published function, to the cycle. Valid for: half and float.
Cycles sparseElementCycles(const Machine& machine, const SparseElementShape& shape);

/// The worker's part alone, in issue slots.
Cycles sparseElementWorkerCycles(const Machine& machine, const SparseElementShape& shape);

/// Rows of a pattern that a worker goes through, unlike ones together.
struct SparseRows {
  std::uint64_t rows = 0;
  std::uint64_t non_zeros = 0;  ///< of all these rows
};

/// The forward pass over rows of unlike lengths in one bucket: a row costs the same beside its
/// non-zeros, so only sums count. In issue slots.
Cycles sparseForwardRowsCycles(ElementType type, std::uint64_t columns, const SparseRows& rows);

/// The rows of a tile dealt out to a number of workers.
using DealRows = std::function<std::vector<SparseRows>(std::uint64_t workers)>;

/// Cycles of a forward vertex on one bucket, all workers: they share its rows and, in pairs
/// of vectors, its columns, in the way that makes the slowest the quickest.
/// The vendor's library splits a tile between its workers in both directions too, by a rule that is
/// not restated here: each way to write W as row shares x column shares is tried.
Cycles sparseForwardTileCycles(const Machine& machine, ElementType type, std::uint64_t columns,
                               const DealRows& deal);

}  // namespace ipusim::models
