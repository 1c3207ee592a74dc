// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/operands.hpp"

namespace popops {

/// a += scale * b.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                        float scale, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo") {
  const std::string lines = "vertex = 'scaled_add'\n" + detail::typeLine(a.elementType()) +
                            "scale = " + std::to_string(scale) + "\n";
  detail::runElementwise(graph, lines, {detail::broadcastTo(b, a.shape())}, a, program, name);
}

}  // namespace popops
