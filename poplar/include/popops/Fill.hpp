// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/elementwise.hpp"

namespace popops {

/// Sets all elements to `value`, where they lie.
template <typename Number>
void fill(poplar::Graph& graph, const poplar::Tensor& tensor, poplar::program::Sequence& program,
          Number value, const poplar::DebugContext& name = "fill") {
  const bool is_wide = poplar::detail::bytesOf(tensor.elementType().id()) == 8;
  if (is_wide && value != Number(0)) {
    const poplar::Tensor constant = detail::scalarLike(graph, tensor, value);
    program.add(poplar::program::Copy(detail::broadcastTo(constant, tensor.shape()), tensor));
    return;
  }
  program.add(detail::LibraryStep(poplar::detail::makeFill(
      graph.data(), tensor.data(), static_cast<double>(value), poplar::detail::textOf(name))));
}

/// Adds vertices to a compute set that set elements to `value`: those in `regions` of the flattened
/// tensor, or all. The vertices run where the elements are.
template <typename Number>
void fill(poplar::Graph& graph, const poplar::Tensor& tensor,
          const std::vector<poplar::Interval>& regions, unsigned /*tile*/,
          const poplar::ComputeSet& compute_set, Number value) {
  const poplar::Tensor flat = tensor.flatten();
  for (const poplar::Interval& region : regions) {
    const poplar::Tensor part = flat.slice(region);
    const poplar::Tensor constant = detail::scalarLike(graph, part, value);
    const poplar::detail::TensorData* operand = constant.data();
    const std::string text = detail::roundedTo(tensor.elementType(), "x1");
    poplar::detail::addMap(graph.data(), compute_set.getId(),
                           poplar::detail::textOf(poplar::StringRef(text)), {&operand, 1},
                           part.data());
  }
}
template <typename Number>
void fill(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned tile,
          const poplar::ComputeSet& compute_set, Number value) {
  fill(graph, tensor, {poplar::Interval(0, tensor.numElements())}, tile, compute_set, value);
}
template <typename Number>
void fill(poplar::Graph& graph, const poplar::Tensor& tensor,
          const std::vector<std::vector<poplar::Interval>>& mapping,
          const poplar::ComputeSet& compute_set, Number value) {
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    fill(graph, tensor, mapping[tile], tile, compute_set, value);
  }
}

}  // namespace popops
