// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "popops/detail/elementwise.hpp"

namespace popops {

namespace padding {

/// Which elements a padding without a value repeats.
enum class Type {
  EDGE,    ///< the first and the last
  REFLECT  ///< those behind the first and before the last, outwards
};

}  // namespace padding

/// The tensor with `lower` and `upper` of its own elements before and behind it in a dimension: a
/// view that holds them again.
inline poplar::Tensor pad(const poplar::Tensor& tensor, std::ptrdiff_t lower, std::ptrdiff_t upper,
                          unsigned dimension, padding::Type type) {
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(tensor.dim(dimension));
  const bool reflects = type == padding::Type::REFLECT;
  const std::ptrdiff_t most = size - (reflects ? 1 : 0);
  const bool fits = size > 0 && (!reflects || (lower <= most && upper <= most));
  if (lower < 0 || upper < 0 || !fits) {
    throw poputil::poplibs_error("pad: wanted sizes that the tensor has elements for, found " +
                                 tensor.shapeToString());
  }
  std::vector<unsigned> places;
  for (std::ptrdiff_t i = -lower; i < size + upper; ++i) {
    const std::ptrdiff_t outside = i < 0 ? -i : i - (size - 1);
    const std::ptrdiff_t inside = reflects ? outside : 0;
    const bool is_inside = i >= 0 && i < size;
    places.push_back(static_cast<unsigned>(is_inside ? i : i < 0 ? inside : size - 1 - inside));
  }
  return poplar::concat(tensor.slices(places, dimension), dimension);
}
inline poplar::Tensor pad(poplar::Tensor tensor, const std::vector<std::ptrdiff_t>& lower,
                          const std::vector<std::ptrdiff_t>& upper, padding::Type type) {
  if (lower.size() != tensor.rank() || upper.size() != tensor.rank()) {
    throw poputil::poplibs_error("pad: wanted sizes for each dimension of " +
                                 tensor.shapeToString());
  }
  for (unsigned d = 0; d < lower.size(); ++d) tensor = pad(tensor, lower[d], upper[d], d, type);
  return tensor;
}

/// A view of the tensor with `lower` elements of `constant` before it in a dimension, and `upper`
/// behind it.
inline poplar::Tensor pad(poplar::Graph&, const poplar::Tensor& tensor, std::ptrdiff_t lower,
                          std::ptrdiff_t upper, unsigned dimension,
                          const poplar::Tensor& constant) {
  if (lower < 0 || upper < 0 || dimension >= tensor.rank()) {
    throw poputil::poplibs_error("pad: wanted sizes of at least 0 in a dimension of " +
                                 tensor.shapeToString() + ", found " + std::to_string(lower) +
                                 " and " + std::to_string(upper) + " in dimension " +
                                 std::to_string(dimension));
  }
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

template <typename Number = float, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& tensor, std::ptrdiff_t lower,
                   std::ptrdiff_t upper, unsigned dimension, Number value = 0) {
  return pad(graph, tensor, lower, upper, dimension, detail::scalarLike(graph, tensor, value));
}

/// Pads each dimension. The vectors have an entry per dimension.
inline poplar::Tensor pad(poplar::Graph& graph, poplar::Tensor tensor,
                          const std::vector<std::ptrdiff_t>& lower,
                          const std::vector<std::ptrdiff_t>& upper, const poplar::Tensor& value) {
  if (lower.size() != tensor.rank() || upper.size() != tensor.rank()) {
    throw poputil::poplibs_error("pad: wanted sizes for each dimension of " +
                                 tensor.shapeToString());
  }
  for (unsigned d = 0; d < lower.size(); ++d) {
    tensor = pad(graph, tensor, lower[d], upper[d], d, value);
  }
  return tensor;
}
template <typename Number = float, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& tensor,
                   const std::vector<std::ptrdiff_t>& lower,
                   const std::vector<std::ptrdiff_t>& upper, Number value = 0) {
  return pad(graph, tensor, lower, upper, detail::scalarLike(graph, tensor, value));
}
// Braces with one number could be a number too: sizes in braces are vectors.
template <typename Number = float, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pad(poplar::Graph& graph, const poplar::Tensor& tensor,
                   std::initializer_list<std::ptrdiff_t> lower,
                   std::initializer_list<std::ptrdiff_t> upper, Number value = 0) {
  return pad(graph, tensor, std::vector<std::ptrdiff_t>(lower), std::vector<std::ptrdiff_t>(upper),
             value);
}

}  // namespace popops
