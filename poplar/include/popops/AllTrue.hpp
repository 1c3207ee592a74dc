// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/Reduce.hpp"

namespace popops {

/// Whether all elements of a tensor of bools are true: one bool.
inline poplar::Tensor allTrue(poplar::Graph& graph, const poplar::Tensor& tensor,
                              poplar::program::Sequence& program,
                              const poplar::DebugContext& name = "allTrue") {
  if (tensor.elementType() != poplar::BOOL) {
    throw poputil::poplibs_error("allTrue: wanted a tensor of bool, found " +
                                 tensor.elementType().toString());
  }
  return reduce(graph, tensor.flatten(), {0}, Operation::LOGICAL_AND, program, name);
}

}  // namespace popops
