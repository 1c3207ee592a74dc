// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "popops/SortOrder.hpp"
#include "popops/detail/sorting.hpp"

namespace popops {

struct TopKParams {
  TopKParams(unsigned count, bool is_largest, SortOrder order, bool is_stable = false)
      : k(count), largest(is_largest), sortOrder(order), stableSort(is_stable) {}

  unsigned k;
  bool largest;  ///< the largest elements, or else the smallest
  SortOrder sortOrder;
  bool stableSort;  ///< no effect: equal elements cannot be told apart
};

/// The k largest or smallest elements of the last dimension.
inline poplar::Tensor topK(poplar::Graph& graph, poplar::program::Sequence& program,
                           const poplar::Tensor& tensor, const TopKParams& params,
                           const poplar::DebugContext& name = "topK") {
  if (tensor.rank() == 0 || tensor.dim(static_cast<unsigned>(tensor.rank()) - 1) < params.k) {
    throw poputil::poplibs_error("topK: wanted at least " + std::to_string(params.k) +
                                 " elements in the last dimension, found " +
                                 tensor.shapeToString());
  }
  const unsigned last = static_cast<unsigned>(tensor.rank()) - 1;
  const poplar::Tensor sorted =
      detail::sortedRows({graph, program, name}, tensor,
                         params.largest ? detail::First::Largest : detail::First::Smallest);
  const poplar::Tensor top = sorted.slice(0, params.k, last);
  const bool turns = params.sortOrder != SortOrder::NONE &&
                     (params.sortOrder == SortOrder::ASCENDING) == params.largest;
  return turns ? top.reverse(last) : top;
}

}  // namespace popops
