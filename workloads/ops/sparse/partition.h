// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/sparse/pattern.h"

// How a sparse (m, k) x dense (k, n) product is cut over the tiles: x parts of the rows, y of the
// inner dimension, z of the dense columns.

namespace ipusim::workloads {

/// A product to plan: the pattern has m and k.
struct SparseProblem {
  SparsePattern pattern;
  std::uint64_t columns;  ///< n
  ElementType input;
  ElementType partials;
  ElementType output;
};

/// How many parts: x, y, z.
struct SparseSplits {
  std::uint64_t rows = 1;
  std::uint64_t inner = 1;
  std::uint64_t columns = 1;

  [[nodiscard]] std::uint64_t parts() const { return rows * inner; }
  [[nodiscard]] std::uint64_t tiles() const { return parts() * columns; }
};

/// Columns are cut in whole grains: for element-wise vertices 4 of float or 8 of half, the widest
/// loop they have; what is left of one takes slow loops.
std::uint64_t columnGrain(const SparseProblem& problem);

/// Where `parts` parts begin and end, the first at 0: each has at least one of `counts` and about
/// the same share of their sum. `parts` at most the number of counts.
std::vector<std::uint64_t> balancedCuts(const std::vector<std::uint64_t>& counts,
                                        std::uint64_t parts);

/// The cuts of a product.
struct SparsePartition {
  std::vector<std::uint64_t> rows;     ///< in blocks; by equal numbers of non-zeros
  std::vector<std::uint64_t> inner;    ///< the same
  std::vector<std::uint64_t> columns;  ///< in columns; equal, in grains
};

SparsePartition cutProduct(const SparseProblem& problem, const SparseSplits& splits);

/// The blocks of each part, part (x, y) at x * y parts + y: positions from the part's corner.
std::vector<std::vector<BlockPosition>> blocksOfParts(const SparsePattern& pattern,
                                                      const SparsePartition& partition);

}  // namespace ipusim::workloads
