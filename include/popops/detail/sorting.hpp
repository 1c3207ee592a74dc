// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "popops/detail/elementwise.hpp"
#include "poputil/TileMapping.hpp"

namespace popops {
namespace detail {

enum class First { Smallest, Largest };

/// What comes last in that order, for the places that rows lack to a power of two.
inline poplar::Tensor lastOfAll(poplar::Graph& graph, const poplar::Tensor& like, First first) {
  const poplar::Type type = like.elementType();
  const bool low = first == First::Largest;
  if (type == poplar::FLOAT || type == poplar::HALF) {
    const float infinity = std::numeric_limits<float>::infinity();
    return scalarLike(graph, like, low ? -infinity : infinity);
  }
  if (type == poplar::INT) {
    return scalarLike(graph, like,
                      low ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max());
  }
  if (type == poplar::UNSIGNED_INT) {
    return scalarLike(graph, like, low ? 0U : std::numeric_limits<unsigned>::max());
  }
  throw poputil::poplibs_error("sort: wanted float, half, int or unsigned int, found " +
                               type.toString());
}

/// Puts each pair of elements of `a` and `b` in order: one compute set.
inline void exchangePairs(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          First first, poplar::program::Sequence& program,
                          const poplar::DebugContext& name) {
  const poplar::ComputeSet compute_set = graph.addComputeSet(name);
  poplar::detail::addExchange(graph.data(), compute_set.getId(), a.data(), b.data(),
                              first == First::Largest ? poplar::detail::PairOrder::LargestFirst
                                                      : poplar::detail::PairOrder::SmallestFirst);
  program.add(poplar::program::Execute(compute_set));
}

/// The rows of the last dimension in order, by Batcher's bitonic network (1968) in the form in
/// which all comparators point the same way: to join two ordered halves, it compares elements that
/// mirror each other in the block, and then those at distances that halve.
inline poplar::Tensor sortedRows(poplar::Graph& graph, const poplar::Tensor& tensor, First first,
                                 poplar::program::Sequence& program,
                                 const poplar::DebugContext& name) {
  const std::size_t length = tensor.dim(static_cast<unsigned>(tensor.rank()) - 1);
  const std::size_t count = length == 0 ? 0 : tensor.numElements() / length;
  std::size_t size = 1;
  while (size < length) size *= 2;
  const poplar::Tensor rows = graph.addVariable(tensor.elementType(), {count, size}, name);
  poputil::mapTensorLinearly(graph, rows);
  program.add(
      poplar::program::Copy(tensor.flatten(), rows.slice(0, length, 1).flatten(), false, name));
  if (size > length) {
    const poplar::Tensor rest = rows.slice(length, size, 1);
    program.add(poplar::program::Copy(broadcastTo(lastOfAll(graph, tensor, first), rest.shape()),
                                      rest, false, name));
  }
  for (std::size_t block = 2; block <= size; block *= 2) {
    const auto halves = [&](std::size_t of, unsigned half) {
      return rows.reshape({count * size / of, 2, of / 2}).slice(half, half + 1, 1);
    };
    exchangePairs(graph, halves(block, 0), halves(block, 1).reverse(2), first, program, name);
    for (std::size_t near = block / 2; near >= 2; near /= 2) {
      exchangePairs(graph, halves(near, 0), halves(near, 1), first, program, name);
    }
  }
  return rows.slice(0, length, 1).reshape(tensor.shape());
}

}  // namespace detail
}  // namespace popops
