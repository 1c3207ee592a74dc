// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "popops/detail/operands.hpp"

namespace poputil {

/// Makes of `tensor` a view of `shape`: sizes of 1 are repeated.
inline void broadcastToMatch(poplar::Tensor& tensor, const std::vector<std::size_t>& shape) {
  tensor = popops::detail::broadcastTo(tensor, shape);
}
/// Makes of both views of their common shape.
inline void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b) {
  const std::vector<std::size_t> shape = popops::detail::commonShape(a.shape(), b.shape());
  broadcastToMatch(a, shape);
  broadcastToMatch(b, shape);
}

}  // namespace poputil
