// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ipusim/section.h"

namespace ipusim::workloads {

constexpr VariableId kSomeVariable{0};

/// A section from `begin` on. A level is written as (count, stride).
inline Section sectionOf(std::uint64_t begin,
                         const std::vector<std::pair<std::uint64_t, std::uint64_t>>& levels) {
  Section section{kSomeVariable, {VariableElements(begin)}};
  for (const auto& [count, stride] : levels) {
    section.walk.levels.push_back({count, VariableElements(stride)});
  }
  return section;
}

}  // namespace ipusim::workloads
