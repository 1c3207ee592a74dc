// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>
#include <vector>

#include "popops/ElementWise.hpp"

namespace popops {

/// Sets the elements to `first`, `first` + 1, … in their order.
template <typename Whole, typename = typename std::enable_if<std::is_integral<Whole>::value>::type>
void iota(poplar::Graph& graph, const poplar::Tensor& tensor, Whole first,
          poplar::program::Sequence& program, const poplar::DebugContext& name = "iota") {
  std::vector<Whole> values(tensor.numElements());
  std::iota(values.begin(), values.end(), first);
  if (values.empty()) return;
  const poplar::Tensor constant =
      graph.addConstant(tensor.elementType(), tensor.shape(), values, name);
  graph.setTileMapping(constant, graph.getTileMapping(tensor));
  program.add(poplar::program::Copy(constant, tensor, false, name));
}

/// Sets row i of `encoded` to `on` in column indices[i], and to `off` in all others.
inline void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                         const poplar::Tensor& encoded, poplar::program::Sequence& program,
                         const poplar::Tensor& on, const poplar::Tensor& off,
                         const poplar::DebugContext& name = "encodeOneHot") {
  const unsigned last = static_cast<unsigned>(indices.rank());
  std::vector<std::size_t> wanted = indices.shape();
  wanted.push_back(encoded.rank() > last ? encoded.dim(last) : 0);
  if (encoded.shape() != wanted) {
    throw poputil::poplibs_error("encodeOneHot: wanted a row for each index of " +
                                 indices.shapeToString() + ", found " + encoded.shapeToString());
  }
  const std::size_t columns = wanted.back();
  std::vector<unsigned> numbers(columns);
  std::iota(numbers.begin(), numbers.end(), 0U);
  const poplar::Tensor number = graph.addConstant(indices.elementType(), {columns}, numbers);
  graph.setTileMapping(number, 0);
  mapWithOutput(graph, expr::Select(expr::_3, expr::_4, expr::_1 == expr::_2),
                {indices.expand({indices.rank()}), number, on, off}, encoded, program, name);
}
inline void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices,
                         const poplar::Tensor& encoded, poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "encodeOneHot") {
  encodeOneHot(graph, indices, encoded, program, detail::scalarLike(graph, encoded, 1),
               detail::scalarLike(graph, encoded, 0), name);
}

}  // namespace popops
