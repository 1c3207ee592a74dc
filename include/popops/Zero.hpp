// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/Fill.hpp"

namespace popops {

/// Sets all elements to 0, where they lie.
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor,
                 poplar::program::Sequence& program, const poplar::DebugContext& name = "zero") {
  fill(graph, tensor, program, 0, name);
}

}  // namespace popops
