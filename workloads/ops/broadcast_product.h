// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/graph/graph.h"

namespace ipusim::workloads {

/// Adds to `program` the steps that multiply the elements of `matrix` with `vector`, which is
/// repeated for every row of as many elements. Views of any shape, read row-major, that may repeat
/// elements; the result has one dimension and is spread linearly over the tiles, where operands
/// are brought to. Rows that a tile holds whole are one BroadcastVectorInner vertex, or lists of
/// rows for a BinaryOp vertex a worker where that takes much less. Source: graphcore/poplibs
/// lib/popops/ElementWise.cpp (MIT): operands that all repeat elements give their result a linear
/// mapping.
Tensor multiplyRows(Graph& graph, const models::Machine& machine, const Tensor& matrix,
                    const Tensor& vector, const std::string& name, Program& program,
                    Lifetime lifetime = Lifetime::Temporary);

}  // namespace ipusim::workloads
