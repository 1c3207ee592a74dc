// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

/// Adds to `program` what reduceRows() adds, by the plan of popops: the stages, their tiles and the
/// vertices of each worker are those of planReduce() and of planTileWork(), and nothing is decided
/// here. A list of regions is one vertex for each region.
///
/// Returns (columns) of the type of the matrix, where the plan puts it: spread linearly from tile 0
/// on, or with its columns when each of them is on one tile.
Tensor reduceRowsByPlan(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                        const OpResult& results, Program& program);

/// Rows, and an output, (columns) of consecutive elements, that lies somewhere already.
struct RowsInto {
  RowsOperand operand;  ///< with a column of more than one row
  Tensor output;        ///< of the type of the rows
};
/// As reduceRowsByPlan(), into an output. The last stage is where the output lies, or spread over
/// all tiles, from where the results are sent to it: whichever the planner takes for faster.
void reduceRowsInto(Graph& graph, const Architecture& machine, const RowsInto& rows,
                    const std::string& name, Program& program);

/// Adds the reduction of the columns of a matrix, (rows, columns) of consecutive elements on any
/// tiles: each row is reduced to one number. All else is as for reduceRowsByPlan(). Returns (rows).
Tensor reduceColumnsByPlan(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                           const OpResult& results, Program& program);

}  // namespace ipusim::workloads
