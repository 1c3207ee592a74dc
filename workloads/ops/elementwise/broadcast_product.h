// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "workloads/ops/placement/op_result.h"

namespace ipusim::workloads {

/// Views of any shape, read row-major, that may repeat elements.
struct RowProduct {
  Tensor matrix;
  Tensor vector;  ///< repeated for every row of as many elements
};

/// Adds to `program` the steps that multiply the elements of the matrix with the vector. The
/// result has one dimension and is spread linearly over the tiles, where operands
/// are brought to. Rows that a tile holds whole are one BroadcastVectorInner vertex, or lists of
/// rows for a BinaryOp vertex a worker where that takes much less. Source: graphcore/poplibs
/// lib/popops/ElementWise.cpp (MIT): operands that all repeat elements give their result a linear
/// mapping.
Tensor multiplyRows(Graph& graph, const Architecture& machine, const RowProduct& operands,
                    const OpResult& result, Program& program);

}  // namespace ipusim::workloads
