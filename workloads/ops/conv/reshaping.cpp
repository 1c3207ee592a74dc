// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/reshaping.h"

namespace ipusim::workloads {

Tensor withDimMoved(const Tensor& tensor, std::size_t from, std::size_t to) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) order.push_back(d);
  const std::size_t moved = order[from];
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), moved);
  return tensor.dimShuffle(order);
}

Tensor withDim(const Tensor& tensor, std::size_t dim) {
  Shape shape = tensor.shape();
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), 1);
  return tensor.reshape(shape);
}

Tensor withoutDim(const Tensor& tensor, std::size_t dim) {
  Shape shape = tensor.shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  return tensor.reshape(shape);
}

Tensor exchanged(const Tensor& tensor) {
  return withDimMoved(tensor, 1, 2);
}

}  // namespace ipusim::workloads
