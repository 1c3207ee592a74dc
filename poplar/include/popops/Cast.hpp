// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/operands.hpp"

namespace popops {

/// Sets the elements of `to` to those of `from` as its type.
inline void cast(poplar::Graph& graph, const poplar::Tensor& from, const poplar::Tensor& to,
                 const poplar::ComputeSet& compute_set) {
  if (from.numElements() != to.numElements()) {
    throw poputil::poplibs_error("cast: wanted as many elements as in " + from.shapeToString() +
                                 ", found " + to.shapeToString());
  }
  const std::string lines = "vertex = 'cast'\n" + detail::typeLine(from.elementType()) + "to = '" +
                            to.elementType().toString() + "'\n";
  detail::addElementwise(graph, lines, {from}, to, compute_set);
}
inline poplar::program::Sequence cast(poplar::Graph& graph, const poplar::Tensor& from,
                                      const poplar::Tensor& to,
                                      const poplar::DebugContext& name = "cast") {
  const poplar::ComputeSet compute_set = graph.addComputeSet(name);
  cast(graph, from, to, compute_set);
  return poplar::program::Sequence{poplar::program::Execute(compute_set)};
}
inline void castWithOutput(poplar::Graph& graph, const poplar::Tensor& from,
                           const poplar::Tensor& to, poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "cast") {
  program.add(cast(graph, from, to, name));
}

/// The elements as another type.
inline poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& tensor,
                           const poplar::Type& type, const poplar::ComputeSet& compute_set,
                           const poplar::DebugContext& name = "cast") {
  const poplar::Tensor out = graph.clone(type, tensor, name);
  cast(graph, tensor, out, compute_set);
  return out;
}
inline poplar::Tensor cast(poplar::Graph& graph, const poplar::Tensor& tensor,
                           const poplar::Type& type, poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "cast") {
  const poplar::Tensor out = graph.clone(type, tensor, name);
  program.add(cast(graph, tensor, out, name));
  return out;
}

}  // namespace popops
