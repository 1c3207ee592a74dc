// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "ipusim/units.h"

// How the vendor's libraries share elements out: to tiles, or to the workers of one.

namespace ipusim {

/// Elements in parts of whole grains. Only the last grain may be cut. Parts differ by one grain at
/// most.
struct GrainParts {
  std::uint64_t elements = 0;
  std::uint64_t grain = 1;
  std::uint64_t parts = 0;

  /// The first element of `part`. That of part `parts` is one past the last element.
  [[nodiscard]] std::uint64_t beginOf(std::uint64_t part) const {
    const std::uint64_t grains = ceilDiv(elements, grain);
    return std::min(elements, checkedProduct(checkedProduct(part, grains) / parts, grain));
  }
  /// The elements of the largest part.
  [[nodiscard]] std::uint64_t widest() const {
    std::uint64_t widest = 0;
    for (std::uint64_t part = 0; part < parts; ++part) {
      widest = std::max(widest, beginOf(part + 1) - beginOf(part));
    }
    return widest;
  }
};

/// What parts may be.
struct GrainLimits {
  std::uint64_t grain;      ///< elements
  std::uint64_t parts;      ///< the most parts
  std::uint64_t least = 0;  ///< the fewest elements of a part; fewer where there are no more
};

/// The parts in which n = ceil(elements / grain) grains are shared out:
///
///   ceil(n / max(ceil(n / parts), ceil(n / max(1, floor(n / ceil(least / grain))))))
///
/// There are no more parts than the largest of them makes necessary.
/// Source: graphcore/poplibs lib/poputil/Util.cpp (MIT), splitRegions.
inline GrainParts splitInGrains(std::uint64_t elements, const GrainLimits& limits) {
  const std::uint64_t grains = ceilDiv(elements, limits.grain);
  if (grains == 0) return {0, limits.grain, 0};
  std::uint64_t most = ceilDiv(grains, limits.parts);
  if (limits.least > 0) {
    const std::uint64_t room = grains / ceilDiv(limits.least, limits.grain);
    most = std::max(most, ceilDiv(grains, std::max<std::uint64_t>(1, room)));
  }
  return {elements, limits.grain, ceilDiv(grains, most)};
}

}  // namespace ipusim
