// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/elementwise.hpp"

namespace popops {

/// Sets all elements to `value`.
template <typename Number>
void fill(poplar::Graph& graph, const poplar::Tensor& tensor, poplar::program::Sequence& program,
          Number value, const poplar::DebugContext& = {}) {
  const poplar::Tensor flat = tensor.flatten();
  const poplar::Tensor constant = detail::scalarLike(graph, tensor, value);
  program.add(poplar::program::Copy(detail::broadcastTo(constant, flat.shape()), flat));
}

}  // namespace popops
