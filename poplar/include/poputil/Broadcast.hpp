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

inline void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c) {
  const std::vector<std::size_t> of_two = popops::detail::commonShape(a.shape(), b.shape());
  const std::vector<std::size_t> shape = popops::detail::commonShape(of_two, c.shape());
  broadcastToMatch(a, shape);
  broadcastToMatch(b, shape);
  broadcastToMatch(c, shape);
}

/// Puts dimensions of size 1 before those of the tensor that has fewer.
inline void expandToMatchRanks(poplar::Tensor& a, poplar::Tensor& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  a = a.expand(std::vector<std::size_t>(rank - a.rank(), 0));
  b = b.expand(std::vector<std::size_t>(rank - b.rank(), 0));
}

/// Whether both have a common shape.
inline bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b) {
  for (std::size_t d = 1; d <= std::min(a.rank(), b.rank()); ++d) {
    const std::size_t of_a = a.dim(static_cast<unsigned>(a.rank() - d));
    const std::size_t of_b = b.dim(static_cast<unsigned>(b.rank() - d));
    if (of_a != of_b && of_a != 1 && of_b != 1) return false;
  }
  return true;
}

}  // namespace poputil
