// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"

namespace poplar {

namespace detail {

/// A step that stamps the counter of a tile.
class Stamp : public program::Program {
 public:
  Stamp(const Tensor& stamp, const TensorData* since)
      : program::Program(makeCycleStamp(stamp.data(), since)) {}
};

inline Tensor addStamp(Graph& graph, unsigned tile, const DebugContext& name) {
  const Tensor stamp = graph.addVariable(UNSIGNED_INT, {2}, name);
  graph.setTileMapping(stamp, tile);
  return stamp;
}

}  // namespace detail

/// Appends a sync and a stamp of the tile's counter to `sequence`: two words, the low one first.
inline Tensor cycleStamp(Graph& graph, program::Sequence& sequence, unsigned tile, SyncType,
                         const DebugContext& name = {}) {
  const Tensor stamp = detail::addStamp(graph, tile, name);
  sequence.add(detail::Stamp(stamp, nullptr));
  return stamp;
}

inline Tensor cycleStamp(Graph& graph, program::Sequence& sequence, unsigned tile,
                         const DebugContext& name = {}) {
  return cycleStamp(graph, sequence, tile, SyncType::INTERNAL, name);
}
/// Stamps of several tiles, one after the other.
inline std::vector<Tensor> cycleStamp(Graph& graph, program::Sequence& sequence,
                                      const std::vector<unsigned>& tiles, SyncType sync,
                                      const DebugContext& name = {}) {
  std::vector<Tensor> stamps;
  for (unsigned tile : tiles) stamps.push_back(cycleStamp(graph, sequence, tile, sync, name));
  return stamps;
}

/// Puts a sync and a stamp of the tile's counter before and after `sequence`. The result holds the
/// cycles between the two: two words, the low one first.
inline Tensor cycleCount(Graph& graph, program::Sequence& sequence, unsigned tile, SyncType,
                         const DebugContext& name = {}) {
  const Tensor start = detail::addStamp(graph, tile, {name, "start"});
  const Tensor count = detail::addStamp(graph, tile, name);
  sequence = program::Sequence(
      {detail::Stamp(start, nullptr), sequence, detail::Stamp(count, start.data())});
  return count;
}
inline Tensor cycleCount(Graph& graph, program::Sequence& sequence, unsigned tile,
                         const DebugContext& name = {}) {
  return cycleCount(graph, sequence, tile, SyncType::INTERNAL, name);
}

}  // namespace poplar
