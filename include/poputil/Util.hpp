// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"
#include "poputil/TileMapping.hpp"

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
