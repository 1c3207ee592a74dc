// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Elements of a tensor (..., columns) on one tile: `rows` times `columns` of them. All dimensions
/// of the tensor but the last are rows.
struct ColumnBox {
  TileId tile;
  VariableId variable;
  std::uint64_t begin;  ///< place of the first element in the variable
  std::uint64_t column;
  std::uint64_t columns;
  std::uint64_t column_stride;  ///< in the variable
  std::uint64_t rows;
  std::uint64_t row_stride;  ///< in the variable
};

/// The boxes of a tensor of any layout, in the order of its pieces. Boxes of whole consecutive rows
/// that follow one another in memory are one box.
std::vector<ColumnBox> columnBoxesOf(const Graph& graph, const Tensor& tensor);

}  // namespace ipusim::workloads
