// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "ipusim/graph.h"

// Elements that are spread over tiles in whole grains, as Graph::mapLinearly spreads them.

namespace ipusim::workloads {

/// The elements of the grain in which the vendor's library spreads a variable.
inline std::uint64_t libraryGrain(ElementType type) {
  return std::max<std::uint64_t>(1, kLinearGrain.value() / sizeOf(type).value());
}

/// How many of `tiles` tiles get elements.
inline std::uint64_t tilesUsed(std::uint64_t elements, std::uint64_t grain, std::uint64_t tiles) {
  return std::min(tiles, ceilDiv(elements, grain));
}

/// One past the last element of part `part` of `parts`. Each part has one grain at least.
inline std::uint64_t endOfPart(std::uint64_t elements, std::uint64_t grain, std::uint64_t part,
                               std::uint64_t parts) {
  const std::uint64_t grains = ceilDiv(elements, grain);
  return std::min(elements, checkedProduct(checkedProduct(part + 1, grains) / parts, grain));
}

/// True when the intervals of `variable` are the parts of its elements in grains of `grain`.
inline bool isSpread(const Variable& variable, std::uint64_t grain) {
  const auto& intervals = variable.mapping.intervals();
  if (intervals.size() > ceilDiv(variable.elements, grain)) return false;
  std::uint64_t begin = 0;
  for (std::uint64_t part = 0; part < intervals.size(); ++part) {
    const std::uint64_t end = endOfPart(variable.elements, grain, part, intervals.size());
    if (intervals[part].begin != begin || intervals[part].end != end) return false;
    begin = end;
  }
  return true;
}

}  // namespace ipusim::workloads
