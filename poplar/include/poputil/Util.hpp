// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"
#include "poputil/TileMapping.hpp"
#include "poputil/exceptions.hpp"

namespace poputil {

/// Splits the elements of regions, in their order, into at most `most_parts` parts. Parts are whole
/// grains, except for the end of the last one, and as equal in size as grains allow. There are no
/// more parts than the size of the largest one needs. A part has at least `least` elements and at
/// most `most`. A region of a part has at most `most_of_region` elements.
inline std::vector<std::vector<poplar::Interval>> splitRegions(
    const std::vector<poplar::Interval>& regions, unsigned grain, unsigned most_parts,
    unsigned least = 0, unsigned most = std::numeric_limits<unsigned>::max(),
    unsigned most_of_region = std::numeric_limits<unsigned>::max()) {
  const auto parts_of = [](std::size_t a, std::size_t b) { return (a + b - 1) / b; };
  std::size_t elements = 0;
  for (const poplar::Interval& region : regions) elements += region.size();
  std::vector<std::vector<poplar::Interval>> parts;
  if (elements == 0 || grain == 0 || most_parts == 0) return parts;
  const std::size_t grains = parts_of(elements, grain);
  std::size_t largest =
      std::min<std::size_t>(parts_of(grains, most_parts), std::max<unsigned>(1, most / grain));
  if (least > 0) {
    const std::size_t count = std::max<std::size_t>(1, grains / parts_of(least, grain));
    largest = std::max(largest, parts_of(grains, count));
  }
  const std::size_t longest = std::max<std::size_t>(grain, most_of_region / grain * grain);
  parts.resize(parts_of(grains, largest));
  auto region = regions.begin();
  std::size_t used = 0;  // elements of `region` that parts have
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t end = std::min(elements, (p + 1) * grains / parts.size() * grain);
    std::size_t left = end - std::min(end, p * grains / parts.size() * grain);
    while (left > 0) {
      while (used == region->size()) {
        ++region;
        used = 0;
      }
      const std::size_t begin = region->begin() + used;
      const std::size_t taken = std::min(left, std::min(longest, region->size() - used));
      parts[p].emplace_back(begin, begin + taken);
      used += taken;
      left -= taken;
    }
  }
  return parts;
}

/// Splits regions as splitRegions() does, into at most one part per worker of a tile.
inline std::vector<std::vector<poplar::Interval>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<poplar::Interval>& regions, unsigned grain,
    unsigned least = 0, unsigned most = std::numeric_limits<unsigned>::max(),
    unsigned most_of_region = std::numeric_limits<unsigned>::max()) {
  return splitRegions(regions, grain, target.getNumWorkerContexts(), least, most, most_of_region);
}

/// Splits sequences of regions as splitRegions() splits regions. A part may take some regions of a
/// sequence, or parts of them: these are one sequence of the part.
inline std::vector<std::vector<std::vector<poplar::Interval>>> splitRegions(
    const std::vector<std::vector<poplar::Interval>>& sequences, unsigned grain,
    unsigned most_parts, unsigned least = 0, unsigned most = std::numeric_limits<unsigned>::max(),
    unsigned most_of_region = std::numeric_limits<unsigned>::max()) {
  std::vector<poplar::Interval> whole;  // the sequences, as regions of their elements in a row
  std::size_t begin = 0;
  for (const std::vector<poplar::Interval>& sequence : sequences) {
    std::size_t size = 0;
    for (const poplar::Interval& region : sequence) size += region.size();
    whole.emplace_back(begin, begin + size);
    begin += size;
  }
  std::vector<std::vector<std::vector<poplar::Interval>>> parts;
  std::size_t of_sequence = 0;
  for (const auto& part : splitRegions(whole, grain, most_parts, least, most, most_of_region)) {
    parts.emplace_back();
    for (const poplar::Interval& taken : part) {
      while (whole[of_sequence].end() <= taken.begin()) ++of_sequence;
      std::size_t at = whole[of_sequence].begin();
      parts.back().emplace_back();
      for (const poplar::Interval& region : sequences[of_sequence]) {
        const std::size_t from = std::max(at, taken.begin());
        const std::size_t to = std::min(at + region.size(), taken.end());
        if (from < to) {
          parts.back().back().emplace_back(region.begin() + (from - at),
                                           region.begin() + (to - at));
        }
        at += region.size();
      }
    }
  }
  return parts;
}
inline std::vector<std::vector<std::vector<poplar::Interval>>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<std::vector<poplar::Interval>>& sequences,
    unsigned grain, unsigned least = 0, unsigned most = std::numeric_limits<unsigned>::max(),
    unsigned most_of_region = std::numeric_limits<unsigned>::max()) {
  return splitRegions(sequences, grain, target.getNumWorkerContexts(), least, most, most_of_region);
}

/// Puts regions in order, and joins those that follow one another.
inline void mergeAdjacentRegions(std::vector<poplar::Interval>& regions) {
  std::sort(regions.begin(), regions.end());
  std::vector<poplar::Interval> merged;
  for (const poplar::Interval& region : regions) {
    if (region.begin() == region.end()) continue;
    if (!merged.empty() && merged.back().end() == region.begin()) {
      merged.back() = poplar::Interval(merged.back().begin(), region.end());
    } else {
      merged.push_back(region);
    }
  }
  regions = merged;
}
inline void mergeAdjacentRegions(std::vector<std::vector<poplar::Interval>>& mapping) {
  for (std::vector<poplar::Interval>& regions : mapping) mergeAdjacentRegions(regions);
}

/// The intervals of all lists, one after the other.
inline std::vector<poplar::Interval> flattenIntervals(
    const std::vector<std::vector<poplar::Interval>>& lists) {
  std::vector<poplar::Interval> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

inline std::size_t intervalSequenceNumElements(
    const std::vector<std::vector<poplar::Interval>>& lists) {
  std::size_t elements = 0;
  for (const poplar::Interval& interval : flattenIntervals(lists)) elements += interval.size();
  return elements;
}

/// The place along each dimension of an element that is counted in row-major order, and back.
template <typename T>
std::vector<T> unflattenIndex(const std::vector<T>& shape, std::size_t index) {
  std::vector<T> place(shape.size());
  if (std::find(shape.begin(), shape.end(), T(0)) != shape.end()) {
    throw poplibs_error("unflattenIndex: wanted a shape with elements, found a dimension of none");
  }
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) {
    place[d] = static_cast<T>(index % shape[d]);
  }
  return place;
}
template <typename T>
std::size_t flattenIndex(const std::vector<T>& shape, const std::vector<T>& place) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + place[d];
  return index;
}

/// `count` clones of a tensor along a new first dimension.
inline poplar::Tensor cloneN(
    poplar::Graph& graph, const poplar::Tensor& tensor, unsigned count,
    const poplar::DebugContext& name = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
  return graph.cloneN(tensor, count, name, method);
}

/// A new tensor with the mapping of `tensor`, and a step that copies the elements to it.
inline poplar::Tensor duplicate(
    poplar::Graph& graph, const poplar::Tensor& tensor, poplar::program::Sequence& program,
    const poplar::DebugContext& name = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
  const poplar::Tensor copy = graph.clone(tensor, name, method);
  program.add(poplar::program::Copy(tensor, copy));
  return copy;
}

}  // namespace poputil
