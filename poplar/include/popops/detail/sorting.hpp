// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "popops/detail/elementwise.hpp"
#include "poputil/TileMapping.hpp"

namespace popops {
namespace detail {

enum class First { Smallest, Largest };

/// A value that no element comes after. It fills rows up to a power of two.
inline poplar::Tensor lastOfAll(poplar::Graph& graph, const poplar::Tensor& like, First first) {
  const poplar::Type type = like.elementType();
  const bool low = first == First::Largest;
  if (type == poplar::FLOAT || type == poplar::HALF) {
    const float infinity = std::numeric_limits<float>::infinity();
    return scalarLike(graph, like, low ? -infinity : infinity);
  }
  if (type == poplar::INT) {
    return scalarLike(graph, like,
                      low ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max());
  }
  if (type == poplar::UNSIGNED_INT) {
    return scalarLike(graph, like, low ? 0U : std::numeric_limits<unsigned>::max());
  }
  throw poputil::poplibs_error("sort: wanted float, half, int or unsigned int, found " +
                               type.toString());
}

inline poplar::detail::PairOrder pairOrder(First first) {
  return first == First::Largest ? poplar::detail::PairOrder::LargestFirst
                                 : poplar::detail::PairOrder::SmallestFirst;
}

/// Compares each run in the first half of a block with one in the second half, and puts each pair
/// of elements in order. Blocks have `block` runs. This is one compute set. The tiles of two runs
/// share the work: each takes half of the pairs.
inline void exchangePairs(const Lowering& to, const poplar::Tensor& runs, std::size_t block,
                          poplar::detail::PairPlaces places, First first) {
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  const bool is_mirrored = places == poplar::detail::PairPlaces::Mirrored;
  const std::size_t length = runs.dim(1);
  const std::size_t half = (length + 1) / 2;
  for (std::size_t r = 0; r < runs.dim(0); ++r) {
    const std::size_t in_block = r % block;
    if (in_block >= block / 2) continue;
    const poplar::Tensor a = runs[r];
    const poplar::Tensor b =
        runs[is_mirrored ? r - in_block + block - 1 - in_block : r + block / 2];
    const auto add = [&](std::size_t begin, std::size_t end, const poplar::Tensor& at) {
      if (begin == end) return;
      const poplar::Tensor other =
          is_mirrored ? b.slice(length - end, length - begin) : b.slice(begin, end);
      poplar::detail::addExchange(
          to.graph.data(), compute_set.getId(),
          poplar::detail::RunPair{a.slice(begin, end).data(), other.data(), places},
          pairOrder(first), at.data());
    };
    add(0, half, a);
    add(half, length, b);
  }
  to.program.add(poplar::program::Execute(compute_set));
}

/// Sorts each run by itself, in one compute set. `runs` is (runs, length).
inline void sortRuns(const Lowering& to, const poplar::Tensor& runs,
                     poplar::detail::RunOrder before, First first) {
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  for (std::size_t run = 0; run < runs.dim(0); ++run) {
    poplar::detail::addRunSort(to.graph.data(), compute_set.getId(), runs[run].data(), before,
                               pairOrder(first));
  }
  to.program.add(poplar::program::Execute(compute_set));
}

/// The length of the runs that workers sort: a power of two, at most `size`. It is the shortest one
/// that leaves no more runs than workers. Runs below 16 elements are not worth a vertex.
inline std::size_t runLength(const poplar::Graph& graph, std::size_t elements, std::size_t size) {
  const poplar::Target target = graph.getTarget();
  const std::size_t workers = std::size_t(target.getNumTiles()) * target.getNumWorkerContexts();
  std::size_t length = 1;
  while (length < size && (length < 16 || length * workers < elements)) length *= 2;
  return length;
}

/// Spreads runs evenly over the tiles.
inline void mapRuns(poplar::Graph& graph, const poplar::Tensor& runs) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const std::size_t count = runs.dim(0);
  for (std::size_t run = 0; run < count; ++run) {
    const std::size_t tile = count <= tiles ? run : run * tiles / count;
    graph.setTileMapping(runs[run], static_cast<unsigned>(tile));
  }
}

/// Sorts the rows of the last dimension by Batcher's bitonic network (1968), in the form in which
/// all comparators point the same way. To merge two sorted halves of a block, it compares elements
/// that mirror each other, and then elements at distances that halve. A worker does the steps that
/// stay within its own run.
inline poplar::Tensor sortedRows(const Lowering& to, const poplar::Tensor& tensor, First first) {
  const std::size_t length = tensor.dim(static_cast<unsigned>(tensor.rank()) - 1);
  if (length == 0) return to.graph.clone(tensor, to.name);
  std::size_t size = 1;
  while (size < length) size *= 2;
  const std::size_t count = tensor.numElements() / length;
  const poplar::Tensor rows = to.graph.addVariable(tensor.elementType(), {count, size}, to.name);
  const std::size_t run = runLength(to.graph, count * size, size);
  const poplar::Tensor runs = rows.reshape({count * size / run, run});
  mapRuns(to.graph, runs);
  to.program.add(
      poplar::program::Copy(tensor.flatten(), rows.slice(0, length, 1).flatten(), false, to.name));
  if (size > length) {
    const poplar::Tensor rest = rows.slice(length, size, 1);
    to.program.add(poplar::program::Copy(
        broadcastTo(lastOfAll(to.graph, tensor, first), rest.shape()), rest, false, to.name));
  }
  sortRuns(to, runs, poplar::detail::RunOrder::None, first);
  for (std::size_t block = 2; block <= size / run; block *= 2) {
    exchangePairs(to, runs, block, poplar::detail::PairPlaces::Mirrored, first);
    for (std::size_t near = block / 2; near >= 2; near /= 2) {
      exchangePairs(to, runs, near, poplar::detail::PairPlaces::Equal, first);
    }
    sortRuns(to, runs, poplar::detail::RunOrder::Bitonic, first);
  }
  return rows.slice(0, length, 1).reshape(tensor.shape());
}

}  // namespace detail
}  // namespace popops
