// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ipusim/section.h"

namespace poplar::detail {

/// Calls `use` with each run of consecutive elements of a section, in its order, from `level`
/// inward and from element `begin` on.
template <typename Use>
void forEachRun(const ipusim::Section& section, const Use& use, std::size_t level,
                std::uint64_t begin) {
  const auto& levels = section.walk.levels;
  if (level == levels.size()) return use(ipusim::contiguous(section.variable, begin, 1));
  const auto& [count, stride] = levels[level];
  if (level + 1 == levels.size() && stride == ipusim::VariableElements(1)) {
    return use(ipusim::contiguous(section.variable, begin, count));
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    forEachRun(section, use, level + 1, begin + i * stride.value());
  }
}

/// Calls `use` with each run of consecutive elements of a section, in its order.
template <typename Use>
void forEachRun(const ipusim::Section& section, const Use& use) {
  forEachRun(section, use, 0, section.begin());
}

}  // namespace poplar::detail
