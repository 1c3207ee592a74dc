// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/cost/reduce.h"
#include "workloads/graph/graph.h"

namespace ipusim::workloads {

/// Maps a matrix, (rows, columns) of a whole variable, so that every row is on one tile and every
/// tile has as many rows as any other, as far as that goes.
void mapRows(Graph& graph, const models::Machine& machine, const Tensor& matrix);

/// Adds to `program` one compute set that reduces each row of `matrix`, consecutive elements, to
/// one value: Add or Maximum. A row lies on one tile. Returns (rows), each where its row is. Sums
/// of halves are rounded once. Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp (MIT).
Tensor reduceColumns(Graph& graph, const models::Machine& machine, models::ReduceOp op,
                     const Tensor& matrix, const std::string& name, Program& program);

}  // namespace ipusim::workloads
