// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/placement/ranges.h"

namespace ipusim::workloads {

/// Rows of some columns of a matrix of `all_rows` rows.
struct RowsOfColumns {
  std::uint64_t all_rows;
  Range rows;
  Range columns;  ///< a whole block of the storage
};
/// These rows, (rows, columns), in a storage of ColumnBlocks, in one piece.
Tensor rowsOfBlock(const Tensor& storage, const RowsOfColumns& part);

/// Storage of a matrix with some rows: one block of rows for each range of its columns, one behind
/// the other. A range may be empty.
class ColumnBlocks {
 public:
  ColumnBlocks(std::uint64_t rows, std::vector<Range> columns);

  [[nodiscard]] std::uint64_t elements() const { return rows_ * columns_.back().end; }
  /// The block of range `p`, (rows, its columns), in a storage of elements() elements in one piece.
  [[nodiscard]] Tensor block(const Tensor& storage, std::size_t p) const;
  /// The matrix in the storage: (rows, columns).
  [[nodiscard]] Tensor matrix(const Tensor& storage) const;

 private:
  std::uint64_t rows_;
  std::vector<Range> columns_;
};

}  // namespace ipusim::workloads
