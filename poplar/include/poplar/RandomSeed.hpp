// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"
#include "poplar/detail/library_api.hpp"

namespace poplar {

namespace detail {

inline void runSeeds(Graph& graph, const char* what, const Tensor& seeds,
                     program::Sequence& program, const DebugContext& name) {
  const ComputeSet compute_set = graph.addComputeSet(name);
  addSeeds(graph.data(), compute_set.getId(), textOf(StringRef(what)), seeds.data());
  program.add(program::Execute(compute_set));
}

inline std::vector<std::size_t> seedsShape(const Graph& graph) {
  const Target target = graph.getTarget();
  return {target.getNumTiles(), target.getNumWorkerContexts(), 4};
}

}  // namespace detail

/// The state of the random numbers of all workers: (tiles, workers, 4 words).
inline Tensor getHwSeeds(Graph& graph, program::Sequence& program,
                         const DebugContext& name = "getHwSeeds") {
  const Tensor seeds = graph.addVariable(UNSIGNED_INT, detail::seedsShape(graph), name);
  for (unsigned tile = 0; tile < seeds.dim(0); ++tile) graph.setTileMapping(seeds[tile], tile);
  detail::runSeeds(graph, "GetSeeds", seeds, program, name);
  return seeds;
}

/// Sets the state of the random numbers of all workers.
inline void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& program,
                       const DebugContext& name = "setHwSeeds") {
  if (seeds.shape() != detail::seedsShape(graph)) {
    throw poplar_error("setHwSeeds: wanted (tiles, workers, 4), found " + seeds.shapeToString());
  }
  detail::runSeeds(graph, "SetSeeds", seeds, program, name);
}

}  // namespace poplar
