// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::workloads {

/// [begin, end).
struct Range {
  std::uint64_t begin;
  std::uint64_t end;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

/// Cuts [0, size) into `parts` ranges of whole grains, as evenly as possible.
std::vector<Range> evenRanges(std::uint64_t size, std::uint64_t parts, std::uint64_t grain = 1);

}  // namespace ipusim::workloads
