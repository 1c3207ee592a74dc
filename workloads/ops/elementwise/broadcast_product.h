// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"

namespace ipusim::workloads {

/// Views of any shape, which are read row-major and may repeat elements.
struct RowProduct {
  Tensor matrix;
  Tensor vector;  ///< repeated for every row, which has as many elements
};

/// Adds to `program` the steps that multiply the elements of the matrix with the vector. The result
/// has one dimension and is spread linearly over the tiles. Operands are brought to the tiles of
/// the result. Rows that a tile holds whole have one BroadcastVectorInner vertex, or one BinaryOp
/// vertex per worker with a list of rows where that takes much less time.
/// Source: graphcore/poplibs lib/popops/ElementWise.cpp (MIT): when all operands repeat elements,
/// the result has a linear mapping.
Tensor multiplyRows(Graph& graph, const Architecture& machine, const RowProduct& operands,
                    const OpResult& result, Program& program);

}  // namespace ipusim::workloads
