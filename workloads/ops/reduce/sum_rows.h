// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/reductions/reduce.h"
#include "workloads/ops/placement/op_result.h"
#include "workloads/ops/reduce/tile_columns.h"

namespace ipusim::workloads {

/// Adds to `program` the sum of the rows of `matrix`, (rows, columns) of consecutive elements on
/// any tiles, as popops::reduce does. Each tile first sums what it holds of a column, when that is
/// more than one element. When columns have many partials, intermediate stages follow. A last stage
/// sums the rest. Each stage is one compute set. Partials of halves are floats.
///
/// Returns (columns), spread linearly over the tiles. When each column is on one tile, the result
/// lies with its columns, and takes a single compute set.
/// Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp (MIT).
Tensor sumRows(Graph& graph, const Architecture& machine, const Tensor& matrix,
               const OpResult& sums, Program& program);

/// Rows and what reduces them.
struct RowsOperand {
  models::ReduceOp op;  ///< Add, Maximum or Minimum
  Tensor matrix;
};
/// Adds the sum, the maximum or the minimum of the rows, all as for sumRows().
Tensor reduceRows(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                  const OpResult& results, Program& program);

/// Columns whose rows the tiles hold, all of one type.
struct HeldColumns {
  std::vector<TileColumns> held;
  std::uint64_t columns;
  ElementType type;
  models::ReduceOp op = models::ReduceOp::Add;  ///< on what the tiles have made of their rows
};
/// As sumRows(), for what the tiles hold of one or more tensors. The sums are floats.
Tensor sumHeldRows(Graph& graph, const Architecture& machine, const HeldColumns& columns,
                   const OpResult& sums, Program& program);

}  // namespace ipusim::workloads
