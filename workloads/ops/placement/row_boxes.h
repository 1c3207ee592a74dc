// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::workloads {

/// Columns [column, column + columns) of each of the rows [row, row + rows) of a matrix.
struct RowBox {
  std::uint64_t row;
  std::uint64_t rows;
  std::uint64_t column;
  std::uint64_t columns;
};

/// Elements [begin, end) of a row-major matrix with rows of `width`, as boxes: the end of a row,
/// whole rows, the start of a row.
std::vector<RowBox> rowBoxesOf(std::uint64_t begin, std::uint64_t end, std::uint64_t width);

}  // namespace ipusim::workloads
