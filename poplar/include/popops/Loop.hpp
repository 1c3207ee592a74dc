// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "popops/ElementWise.hpp"

namespace popops {

using CountedLoopBodyType = std::function<poplar::program::Program(const poplar::Tensor&)>;

/// While `count`, which begins as `first`, is below `limit`: `body`, and then `count` grows by
/// `step`.
inline poplar::program::Sequence countedForLoop(poplar::Graph& graph, const poplar::Tensor& count,
                                                int first, const poplar::Tensor& limit, int step,
                                                const poplar::program::Program& body,
                                                const poplar::DebugContext& name = "loop") {
  const poplar::Tensor begin = detail::scalarLike(graph, count, first);
  poplar::program::Sequence program{
      poplar::program::Copy(detail::broadcastTo(begin, count.shape()), count)};
  poplar::program::Sequence condition;
  const poplar::Tensor goes_on = lt(graph, count, limit, condition, name);
  poplar::program::Sequence round{body};
  addInPlace(graph, count, step, round, name);
  program.add(poplar::program::RepeatWhileTrue(condition, goes_on.reshape({}), round));
  return program;
}

/// Runs `body` for a count from `first` to below `limit` by `step`. The loop makes the tensor of
/// the count.
inline poplar::program::Sequence countedForLoop(poplar::Graph& graph, int first,
                                                const poplar::Tensor& limit, int step,
                                                const poplar::program::Program& body,
                                                const poplar::DebugContext& name = "loop") {
  const poplar::Tensor count = graph.clone(limit, name);
  return countedForLoop(graph, count, first, limit, step, body, name);
}

/// The steps that `body` makes for an index that counts from `begin` to below `end` by `step`.
inline poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t begin,
                                             std::size_t end, std::size_t step,
                                             const CountedLoopBodyType& body,
                                             const poplar::DebugContext& name = "loop") {
  if (step == 0) throw poputil::poplibs_error("countedLoop: wanted a step of at least 1, found 0");
  const poplar::Tensor index = graph.addVariable(poplar::UNSIGNED_INT, {1}, name);
  graph.setTileMapping(index, 0);
  const poplar::Tensor first = detail::scalarLike(graph, index, begin);
  poplar::program::Sequence program{poplar::program::Copy(first.reshape({1}), index)};
  poplar::program::Sequence round{body(index)};
  addInPlace(graph, index, step, round, name);
  const std::size_t count = end > begin ? (end - begin + step - 1) / step : 0;
  program.add(poplar::program::Repeat(static_cast<unsigned>(count), round));
  return program;
}
inline poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t count,
                                             const CountedLoopBodyType& body,
                                             const poplar::DebugContext& name = "loop") {
  return countedLoop(graph, 0, count, 1, body, name);
}

}  // namespace popops
