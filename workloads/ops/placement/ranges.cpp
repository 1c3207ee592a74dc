// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/ranges.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim::workloads {

std::vector<Range> evenRanges(std::uint64_t size, std::uint64_t parts, std::uint64_t grain) {
  const std::uint64_t grains = ceilDiv(size, grain);
  std::vector<Range> ranges;
  ranges.reserve(parts);
  for (std::uint64_t p = 0; p < parts; ++p) {
    ranges.push_back(
        {p * grains / parts * grain, std::min(size, (p + 1) * grains / parts * grain)});
  }
  return ranges;
}

}  // namespace ipusim::workloads
