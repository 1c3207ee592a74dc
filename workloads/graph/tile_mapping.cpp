// SPDX-License-Identifier: Apache-2.0
#include "ipusim/tile_mapping.h"

#include <boost/icl/interval_map.hpp>
#include <unordered_map>
#include <utility>

namespace ipusim {

// An enricher keeps tile 0. An absorber would take it for "nothing".
struct TileMapping::Map {
  boost::icl::interval_map<std::uint64_t, TileId, boost::icl::partial_enricher> tiles;
};

TileMapping::TileMapping() : map_(std::make_unique<Map>()) {}
TileMapping::TileMapping(const TileMapping& other) : map_(std::make_unique<Map>(*other.map_)) {}
TileMapping::TileMapping(TileMapping&& other) noexcept = default;
TileMapping& TileMapping::operator=(TileMapping other) noexcept {
  std::swap(map_, other.map_);
  return *this;
}
TileMapping::~TileMapping() = default;

void TileMapping::set(std::uint64_t begin, std::uint64_t end, TileId tile) {
  if (begin == end) return;
  map_->tiles.set({boost::icl::interval<std::uint64_t>::right_open(begin, end), tile});
}

std::vector<MappedInterval> TileMapping::intervals() const {
  std::vector<MappedInterval> intervals;
  std::unordered_map<TileId, std::uint64_t> used;
  for (const auto& [interval, tile] : map_->tiles) {
    std::uint64_t& local = used[tile];
    intervals.push_back({interval.lower(), interval.upper(), tile, local});
    local += interval.upper() - interval.lower();
  }
  return intervals;
}

}  // namespace ipusim
