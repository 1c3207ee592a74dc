// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poplar/Graph.hpp"

namespace poputil {

/// Spreads the elements over the tiles from tile 0 on, at least 128 bytes on a tile.
inline void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& tensor) {
  poplar::detail::mapLinearly(graph.data(), tensor.data(), 0, 0);
}
/// At least `least` elements on a tile, in whole grains.
inline void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned least,
                              unsigned grain) {
  poplar::detail::mapLinearly(graph.data(), tensor.data(), least, grain);
}

/// Where mapTensorLinearly() would put the elements of a tensor of that shape.
inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Graph& graph, poplar::ArrayRef<std::size_t> shape, unsigned least,
    unsigned grain) {
  std::size_t elements = 1;
  for (std::size_t size : shape) elements *= size;
  const std::size_t tiles = graph.getTarget().getNumTiles();
  std::vector<std::vector<poplar::Interval>> mapping(tiles);
  if (elements == 0) return mapping;
  const std::size_t each = grain == 0 ? 1 : grain;
  const std::size_t grains = (elements + each - 1) / each;
  const std::size_t wanted = ((least == 0 ? 1 : least) + each - 1) / each;
  const std::size_t per_tile = std::max((grains + tiles - 1) / tiles, wanted);
  const std::size_t parts = (grains + per_tile - 1) / per_tile;
  for (std::size_t part = 0; part < parts; ++part) {
    mapping[part].emplace_back(part * grains / parts * each,
                               std::min(elements, (part + 1) * grains / parts * each));
  }
  return mapping;
}
inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Graph& graph, const poplar::Tensor& tensor) {
  const std::size_t bytes = graph.getTarget().getTypeSize(tensor.elementType());
  return calcLinearTileMapping(graph, tensor.shape(), static_cast<unsigned>(128 / bytes),
                               graph.getTarget().getVectorWidth(tensor.elementType()));
}

}  // namespace poputil
