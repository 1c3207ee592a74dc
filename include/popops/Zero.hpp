// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/elementwise.hpp"

namespace popops {

/// Sets all elements to 0.
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor,
                 poplar::program::Sequence& program, const poplar::DebugContext& = {}) {
  const poplar::Tensor flat = tensor.flatten();
  const poplar::Tensor constant = detail::scalarLike(graph, tensor, 0);
  program.add(poplar::program::Copy(detail::broadcastTo(constant, flat.shape()), flat));
}

}  // namespace popops
