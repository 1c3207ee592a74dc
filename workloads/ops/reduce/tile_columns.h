// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/reductions/reduce.h"

namespace ipusim::workloads {

/// Columns [begin, end) of a matrix. The tile holds equal rows of all of them.
struct TileColumns {
  TileId tile;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t rows;
  View view;             ///< one row after the other
  std::uint64_t stride;  ///< distance of the rows in the tile's memory, or kNoStride
  models::ReduceOp op = models::ReduceOp::Add;  ///< what the tile does with its rows
};

/// What the tiles hold of `matrix`, (rows, columns) of consecutive elements, by tile and column.
std::vector<TileColumns> columnsByTile(const Graph& graph, const Tensor& matrix);

/// What the tiles hold of `tensor`, (..., columns) of any layout in which each piece has its
/// columns one after the other. All dimensions but the last are rows.
std::vector<TileColumns> columnRunsByTile(const Graph& graph, const Tensor& tensor);

}  // namespace ipusim::workloads
