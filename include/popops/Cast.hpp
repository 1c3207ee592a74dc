// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/operands.hpp"

namespace popops {

/// The elements as another type.
inline poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& tensor,
                           const poplar::Type& type, poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "cast") {
  const poplar::Tensor out = graph.clone(type, tensor, name);
  const std::string lines = "vertex = 'cast'\n" + detail::typeLine(tensor.elementType()) +
                            "to = '" + type.toString() + "'\n";
  detail::runElementwise(graph, lines, {tensor}, out, program, name);
  return out;
}

}  // namespace popops
