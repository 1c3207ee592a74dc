// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poputil/TileMapping.hpp"

namespace popops {

/// A tensor for the host to read or write, spread linearly over the tiles from tile `offset` on.
inline poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                                   const std::vector<std::size_t>& shape,
                                                   bool /*is_read*/, std::size_t offset,
                                                   const poplar::DebugContext& name = "host") {
  const poplar::Tensor tensor = graph.addVariable(type, shape, name);
  poputil::mapTensorLinearlyWithOffset(graph, tensor, static_cast<unsigned>(offset));
  return tensor;
}
inline poplar::Tensor createHostTransferableTensor(poplar::Graph& graph, const poplar::Type& type,
                                                   const std::vector<std::size_t>& shape,
                                                   bool is_read,
                                                   const poplar::DebugContext& name = "host") {
  return createHostTransferableTensor(graph, type, shape, is_read, 0, name);
}

}  // namespace popops
