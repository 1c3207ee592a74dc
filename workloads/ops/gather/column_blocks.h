// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/ranges.h"

namespace ipusim::workloads {

/// Storage of a matrix with some rows: one block of rows for each range of its columns, one behind
/// the other. A range may be empty.
class ColumnBlocks {
 public:
  ColumnBlocks(std::uint64_t rows, std::vector<Range> columns);

  [[nodiscard]] std::uint64_t elements() const { return rows_ * columns_.back().end; }
  /// Rows of the columns of range `p`, (rows, its columns), in a storage of elements() elements in
  /// one piece.
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t p) const;
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t p, const Range& rows) const;
  /// The matrix in the storage: (rows, columns).
  [[nodiscard]] Tensor matrix(const Tensor& storage) const;

 private:
  std::uint64_t rows_;
  std::vector<Range> columns_;
};

}  // namespace ipusim::workloads
