// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"

namespace poputil {

/// Spreads the elements over the tiles from tile 0 on, at least 128 bytes on a tile.
inline void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& tensor) {
  poplar::detail::mapLinearly(graph.data(), tensor.data(), 0, 0);
}
/// Spreads the elements in whole grains, with at least `least` elements on a tile.
inline void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& tensor, unsigned least,
                              unsigned grain) {
  poplar::detail::mapLinearly(graph.data(), tensor.data(), least, grain);
}

/// The mapping that mapTensorLinearly() gives a tensor of that shape. The first part is on tile
/// `offset`, and the next ones are on the tiles above it. In descending order the first part is
/// `offset` tiles below tile 0, and the next ones are on the tiles below it. Both orders wrap
/// round.
inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Target& target, poplar::ArrayRef<std::size_t> shape, unsigned least,
    unsigned grain, unsigned offset = 0, bool is_ascending = true) {
  std::size_t elements = 1;
  for (std::size_t size : shape) elements *= size;
  const std::size_t tiles = target.getNumTiles();
  std::vector<std::vector<poplar::Interval>> mapping(tiles);
  if (elements == 0) return mapping;
  const std::size_t each = grain == 0 ? 1 : grain;
  const std::size_t grains = (elements + each - 1) / each;
  const std::size_t wanted = ((least == 0 ? 1 : least) + each - 1) / each;
  const std::size_t per_tile = std::max((grains + tiles - 1) / tiles, wanted);
  const std::size_t parts = (grains + per_tile - 1) / per_tile;
  const std::size_t first = offset % tiles;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t tile = (is_ascending ? first + part : 2 * tiles - first - part) % tiles;
    mapping[tile].emplace_back(part * grains / parts * each,
                               std::min(elements, (part + 1) * grains / parts * each));
  }
  return mapping;
}
inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Graph& graph, poplar::ArrayRef<std::size_t> shape, unsigned least, unsigned grain,
    unsigned offset = 0, bool is_ascending = true) {
  return calcLinearTileMapping(graph.getTarget(), shape, least, grain, offset, is_ascending);
}
inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Graph& graph, const poplar::Tensor& tensor, unsigned offset = 0,
    bool is_ascending = true) {
  const std::size_t bytes = graph.getTarget().getTypeSize(tensor.elementType());
  return calcLinearTileMapping(graph, tensor.shape(), static_cast<unsigned>(128 / bytes),
                               graph.getTarget().getVectorWidth(tensor.elementType()), offset,
                               is_ascending);
}

inline std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(
    const poplar::Target& target, poplar::ArrayRef<std::size_t> shape, const poplar::Type& type,
    unsigned offset = 0, bool is_ascending = true) {
  return calcLinearTileMapping(target, shape, static_cast<unsigned>(128 / target.getTypeSize(type)),
                               target.getVectorWidth(type), offset, is_ascending);
}

/// As mapTensorLinearly(), with the first part on tile `offset`.
inline void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& tensor,
                                        unsigned offset = 0, bool is_ascending = true) {
  graph.setTileMapping(tensor, calcLinearTileMapping(graph, tensor, offset, is_ascending));
}
inline void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& tensor,
                                        unsigned least, unsigned grain, unsigned offset,
                                        bool is_ascending = true) {
  graph.setTileMapping(
      tensor, calcLinearTileMapping(graph, tensor.shape(), least, grain, offset, is_ascending));
}

/// A clone on one IPU: each element lies on the tile whose number within its IPU is that of the
/// element's own tile.
inline poplar::Tensor cloneToIpu(
    poplar::Graph& graph, const poplar::Tensor& tensor, unsigned ipu,
    const poplar::DebugContext& name = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  if (ipu >= graph.getTarget().getNumIPUs()) {
    throw poplar::invalid_tile_mapping("cloneToIpu: wanted an IPU of the graph, found " +
                                       std::to_string(ipu));
  }
  const poplar::Tensor clone = graph.clone(tensor, name, method);
  poplar::Graph::TileToTensorMapping moved(graph.getTarget().getNumTiles());
  const auto mapping = graph.getTileMapping(tensor);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    auto& regions = moved[ipu * tiles + tile % tiles];
    regions.insert(regions.end(), mapping[tile].begin(), mapping[tile].end());
  }
  graph.setTileMapping(clone, moved);
  return clone;
}

/// As cloneToIpu(), with the elements; the program copies them.
inline poplar::Tensor copyToIpu(
    poplar::Graph& graph, const poplar::Tensor& tensor, poplar::program::Sequence& program,
    unsigned ipu, const poplar::DebugContext& name = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
  const poplar::Tensor copy = cloneToIpu(graph, tensor, ipu, name, method);
  program.add(poplar::program::Copy(tensor, copy, false, name));
  return copy;
}

}  // namespace poputil
