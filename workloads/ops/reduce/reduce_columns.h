// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/reductions/reduce.h"

namespace ipusim::workloads {

/// Maps a matrix, (rows, columns) of a whole variable. Every row is on one tile, and all tiles have
/// about equally many rows.
void mapRows(Graph& graph, const Architecture& machine, const Tensor& matrix);

/// Adds to `program` one compute set that reduces each row of `matrix` to its sum or its maximum. A
/// row has consecutive elements on one tile. Returns (rows), each on the tile of its row. Sums of
/// halves are rounded once.
/// Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp (MIT).
Tensor sumColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program);
Tensor maxColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program);

/// A reduction of each row of a matrix.
struct RowsReduction {
  Tensor matrix;  ///< as for sumColumns()
  models::ReduceOp op;
};
/// Adds one compute set for several reductions. Returns their results as floats, in the same order.
std::vector<Tensor> reduceColumns(Graph& graph, const Architecture& machine,
                                  const std::vector<RowsReduction>& reductions,
                                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
