// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"
#include "poputil/TileMapping.hpp"

namespace poputil {

/// A copy of a tensor, with its mapping; the program makes it.
inline poplar::Tensor duplicate(
    poplar::Graph& graph, const poplar::Tensor& tensor, poplar::program::Sequence& program,
    const poplar::DebugContext& name = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
  const poplar::Tensor copy = graph.clone(tensor, name, method);
  program.add(poplar::program::Copy(tensor, copy));
  return copy;
}

}  // namespace poputil
