// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/sparse/plan.h"

namespace ipusim::workloads {

/// The indices of one part of a plan.
struct SparseIndex {
  std::uint64_t x;
  std::uint64_t y;
  std::uint64_t z;
};

/// The places of the parts of a planned product, all in chunks of consecutive elements:
///
///   non-zeros  one chunk per (x, y): blocks in order, each b x b; spread over the z tiles
///   dense      one chunk per (z, y): [row of blocks][column][b]; spread over the x tiles
///   result     one chunk per (z, x): [row of blocks][column][b]
class SparseLayout {
 public:
  SparseLayout(const SparseProblem& problem, const SparseSplits& splits);

  [[nodiscard]] const SparseSplits& splits() const { return splits_; }
  [[nodiscard]] std::uint64_t block() const { return block_; }
  [[nodiscard]] TileId tile(const SparseIndex& part) const;
  /// The blocks of part (x, y). Positions count from the corner of the part.
  [[nodiscard]] const std::vector<BlockPosition>& blocks(std::uint64_t x, std::uint64_t y) const {
    return parts_[x * splits_.inner + y];
  }
  [[nodiscard]] std::uint64_t rows(std::uint64_t x) const;     ///< in blocks
  [[nodiscard]] std::uint64_t inner(std::uint64_t y) const;    ///< in blocks
  [[nodiscard]] std::uint64_t columns(std::uint64_t z) const;  ///< columns of the dense operand

  [[nodiscard]] Tensor values(const Tensor& storage, std::uint64_t x, std::uint64_t y) const;
  [[nodiscard]] Tensor dense(const Tensor& storage, std::uint64_t y, std::uint64_t z) const;
  [[nodiscard]] Tensor result(const Tensor& storage, std::uint64_t x, std::uint64_t z) const;

  /// Adds an operand as the plan wants it, mapped, with one dimension.
  Tensor addValues(Graph& graph, ElementType type, const std::string& name) const;
  Tensor addDense(Graph& graph, ElementType type, const std::string& name) const;

  /// For each element of the storage, its index in a row-major matrix.
  [[nodiscard]] std::vector<std::uint64_t> valueSources() const;   ///< in (m, k)
  [[nodiscard]] std::vector<std::uint64_t> denseSources() const;   ///< in (k, n)
  [[nodiscard]] std::vector<std::uint64_t> resultSources() const;  ///< in (m, n)

 private:
  [[nodiscard]] std::vector<std::uint64_t> chunkSources(
      const std::vector<std::uint64_t>& row_cuts) const;

  SparsePartition partition_;
  SparseSplits splits_;
  std::uint64_t block_;
  std::uint64_t inner_elements_;
  std::uint64_t column_elements_;
  std::vector<std::vector<BlockPosition>> parts_;
  std::vector<std::uint64_t> value_offsets_;
};

}  // namespace ipusim::workloads
