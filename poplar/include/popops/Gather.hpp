// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/DynamicSlice.hpp"

namespace popops {

struct GatherParams {
  GatherParams() = default;
  explicit GatherParams(std::size_t most_elements) : maxElementsPerTile(most_elements) {}

  std::size_t maxElementsPerTile = 65535;  ///< does not count here
};

/// A tensor to gather from along a dimension, where gather() reads it.
inline poplar::Tensor createGatherInput(poplar::Graph& graph, const poplar::Type& type,
                                        const std::vector<std::size_t>& shape, unsigned dimension,
                                        GatherParams = {},
                                        const poplar::DebugContext& name = "gather") {
  return createSliceableTensor(graph, type, shape, {dimension}, {1}, 0, name);
}

/// The indices of a dimension with those numbers, joined along it.
inline poplar::Tensor gather(poplar::Graph& graph, const poplar::Tensor& tensor,
                             const poplar::Tensor& indices, unsigned dimension,
                             poplar::program::Sequence& program, GatherParams = {},
                             const poplar::DebugContext& name = "gather",
                             const poplar::OptionFlags& = {}) {
  const poplar::Tensor slices = multiSlice(graph, tensor, indices.flatten().expand({1}),
                                           {dimension}, {1}, program, SlicePlan(), {}, name);
  return slices.squeeze({dimension + std::size_t(1)}).dimRoll(0, dimension);
}

}  // namespace popops
