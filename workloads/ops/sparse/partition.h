// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/sparse/pattern.h"

// How a sparse (m, k) x dense (k, n) product is cut over the tiles: x parts of the rows, y parts of
// the inner dimension, z parts of the dense columns.

namespace ipusim::workloads {

/// A product to plan. The pattern has m and k.
struct SparseProblem {
  SparsePattern pattern;
  std::uint64_t columns;  ///< n
  ElementType input;
  ElementType partials;
  ElementType output;
};

/// The numbers of parts: x, y, z.
struct SparseSplits {
  std::uint64_t rows = 1;
  std::uint64_t inner = 1;
  std::uint64_t columns = 1;

  [[nodiscard]] std::uint64_t parts() const { return rows * inner; }
  [[nodiscard]] std::uint64_t tiles() const { return parts() * columns; }
};

/// The grain in which columns are cut. For element-wise vertices it is 4 of float or 8 of half,
/// which is their widest loop. A part of a grain takes slow loops.
std::uint64_t columnGrain(const SparseProblem& problem);

/// The places at which `parts` parts begin and end, the first at 0. Each part has at least one of
/// `counts`, and about an equal share of their sum. `parts` is at most the number of counts.
std::vector<std::uint64_t> balancedCuts(const std::vector<std::uint64_t>& counts,
                                        std::uint64_t parts);

/// The cuts of a product.
struct SparsePartition {
  std::vector<std::uint64_t> rows;     ///< in blocks; parts have about equally many non-zeros
  std::vector<std::uint64_t> inner;    ///< in blocks; parts have about equally many non-zeros
  std::vector<std::uint64_t> columns;  ///< in columns; equal parts, in grains
};

SparsePartition cutProduct(const SparseProblem& problem, const SparseSplits& splits);

/// The blocks of each part. Part (x, y) is at x * y parts + y. Positions count from the part's
/// corner.
std::vector<std::vector<BlockPosition>> blocksOfParts(const SparsePattern& pattern,
                                                      const SparsePartition& partition);

}  // namespace ipusim::workloads
