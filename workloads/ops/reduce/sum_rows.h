// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/placement/op_result.h"

namespace ipusim::workloads {

/// Adds to `program` the sum of the rows of `matrix`, (rows, columns) of consecutive elements on
/// any tiles, as popops::reduce does it: each tile adds up what it holds of a column, where that is
/// more than one element; intermediate stages, where columns have many partials, and a last stage
/// add up the rest, one compute set each. Partials of halves are floats.
///
/// Returns (columns), spread linearly over the tiles; it lies with the columns where each is on one
/// tile, which takes a single compute set.
/// Source: graphcore/poplibs lib/popops/reduction/Reduction.cpp (MIT).
Tensor sumRows(Graph& graph, const Architecture& machine, const Tensor& matrix,
               const OpResult& sums, Program& program);

}  // namespace ipusim::workloads
