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

}  // namespace popops
