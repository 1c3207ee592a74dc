// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/tile_mapping.h"

#include <unordered_map>

namespace ipusim::workloads {

void TileMapping::set(std::uint64_t begin, std::uint64_t end, std::uint32_t tile) {
  if (begin == end) return;
  map_.set({boost::icl::interval<std::uint64_t>::right_open(begin, end), tile});
}

std::vector<MappedInterval> TileMapping::intervals() const {
  std::vector<MappedInterval> intervals;
  std::unordered_map<std::uint32_t, std::uint64_t> used;
  for (const auto& [interval, tile] : map_) {
    std::uint64_t& local = used[tile];
    intervals.push_back({interval.lower(), interval.upper(), tile, local});
    local += interval.upper() - interval.lower();
  }
  return intervals;
}

}  // namespace ipusim::workloads
