// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "popops/detail/elementwise.hpp"

namespace popops {

/// A view of the tensor with `lower` elements of `value` before it in a dimension, and `upper`
/// behind it. All of these elements are one constant.
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& tensor, std::ptrdiff_t lower,
                   std::ptrdiff_t upper, unsigned dimension, Number value) {
  if (lower < 0 || upper < 0 || dimension >= tensor.rank()) {
    throw poputil::poplibs_error("pad: wanted sizes of at least 0 in a dimension of " +
                                 tensor.shapeToString() + ", found " + std::to_string(lower) +
                                 " and " + std::to_string(upper) + " in dimension " +
                                 std::to_string(dimension));
  }
  const poplar::Tensor constant = detail::scalarLike(graph, tensor, value);
  const auto part = [&](std::ptrdiff_t size) {
    std::vector<std::size_t> shape = tensor.shape();
    shape.at(dimension) = static_cast<std::size_t>(size);
    return detail::broadcastTo(constant, shape);
  };
  poplar::Tensor padded = tensor;
  if (lower > 0) padded = poplar::concat(part(lower), padded, dimension);
  if (upper > 0) padded = poplar::concat(padded, part(upper), dimension);
  return padded;
}

/// Pads each dimension. The vectors have an entry per dimension.
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pad(poplar::Graph& graph, poplar::Tensor tensor,
                   const std::vector<std::ptrdiff_t>& lower,
                   const std::vector<std::ptrdiff_t>& upper, Number value) {
  if (lower.size() != tensor.rank() || upper.size() != tensor.rank()) {
    throw poputil::poplibs_error("pad: wanted sizes for each dimension of " +
                                 tensor.shapeToString());
  }
  for (unsigned d = 0; d < lower.size(); ++d) {
    tensor = pad(graph, tensor, lower[d], upper[d], d, value);
  }
  return tensor;
}

}  // namespace popops
