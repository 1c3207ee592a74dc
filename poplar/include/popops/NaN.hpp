// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/ElementWise.hpp"
#include "popops/Reduce.hpp"

namespace popops {

/// Whether any element is not a number: one bool.
inline poplar::Tensor hasNaN(poplar::Graph& graph, const poplar::Tensor& tensor,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "hasNaN") {
  const poplar::Tensor row = tensor.flatten();
  // A NaN is the only number that is not equal to itself.
  const poplar::Tensor is_nan = neq(graph, row, row, program, name);
  return reduce(graph, is_nan, {0}, Operation::LOGICAL_OR, program, name);
}

}  // namespace popops
