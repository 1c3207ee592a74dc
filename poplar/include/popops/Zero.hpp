// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/Fill.hpp"

namespace popops {

/// Sets all elements to 0, where they lie.
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor,
                 poplar::program::Sequence& program, const poplar::DebugContext& name = "zero") {
  fill(graph, tensor, program, 0, name);
}

/// Adds to a compute set what sets elements to 0, as fill() does.
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor,
                 const std::vector<poplar::Interval>& regions, unsigned tile,
                 const poplar::ComputeSet& compute_set) {
  fill(graph, tensor, regions, tile, compute_set, 0);
}
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned tile,
                 const poplar::ComputeSet& compute_set) {
  fill(graph, tensor, tile, compute_set, 0);
}
inline void zero(poplar::Graph& graph, const poplar::Tensor& tensor,
                 const std::vector<std::vector<poplar::Interval>>& mapping,
                 const poplar::ComputeSet& compute_set) {
  fill(graph, tensor, mapping, compute_set, 0);
}

}  // namespace popops
