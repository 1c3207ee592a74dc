// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "popops/detail/map.hpp"

namespace popops {

/// A new tensor of the common shape of the operands, which lies like the largest of them.
inline poplar::Tensor createOutputForElementWiseOp(poplar::Graph& graph,
                                                   const std::vector<poplar::Tensor>& operands,
                                                   const poplar::Type& type,
                                                   const poplar::DebugContext& name = "out") {
  const std::vector<std::size_t> shape = detail::commonShape(operands);
  return graph.clone(type, detail::broadcastTo(detail::largestOf(operands), shape), name);
}

}  // namespace popops
