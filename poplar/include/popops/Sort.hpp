// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/sorting.hpp"

namespace popops {

/// The elements in ascending order along a dimension.
inline poplar::Tensor sort(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned dimension,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "sort") {
  const unsigned last = static_cast<unsigned>(tensor.rank()) - 1;
  const poplar::Tensor rows = tensor.dimRoll(dimension, last);
  return detail::sortedRows({graph, program, name}, rows, detail::First::Smallest)
      .dimRoll(last, dimension);
}
inline void sortInPlace(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned dimension,
                        poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "sort") {
  program.add(poplar::program::Copy(sort(graph, tensor, dimension, program, name), tensor));
}

}  // namespace popops
