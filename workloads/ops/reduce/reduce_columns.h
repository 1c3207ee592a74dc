// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Maps a matrix, (rows, columns) of a whole variable, so that every row is on one tile and every
/// tile has as many rows as any other, as far as that goes.
void mapRows(Graph& graph, const Architecture& machine, const Tensor& matrix);

/// Adds to `program` one compute set that reduces each row of `matrix`, consecutive elements that
/// lie on one tile, to its sum or its maximum. Returns (rows), each where its row is. Sums of
/// halves are rounded once. Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp (MIT).
Tensor sumColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program);
Tensor maxColumns(Graph& graph, const Architecture& machine, const Tensor& matrix,
                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
