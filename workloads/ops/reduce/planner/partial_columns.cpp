// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/partial_columns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint32_t kBits = 64;

std::uint64_t tilesIn(const std::vector<std::uint64_t>& set) {
  return std::accumulate(set.begin(), set.end(), std::uint64_t{0},
                         [](std::uint64_t sum, auto word) {
                           return sum + static_cast<std::uint64_t>(__builtin_popcountll(word));
                         });
}

/// A tile begins or ends to hold columns.
struct HoldEvent {
  std::uint64_t column;
  std::uint32_t tile;
  std::uint64_t rows;
  bool begins;
};

std::vector<HoldEvent> eventsOf(const std::vector<HeldRows>& held) {
  std::vector<HoldEvent> events;
  events.reserve(2 * held.size());
  for (const HeldRows& own : held) {
    if (own.begin == own.end) continue;
    events.push_back({own.begin, own.tile.tile(), own.rows(), true});
    events.push_back({own.end, own.tile.tile(), own.rows(), false});
  }
  std::sort(events.begin(), events.end(), [](const HoldEvent& a, const HoldEvent& b) {
    return std::tie(a.column, a.begins) < std::tie(b.column, b.begins);
  });
  return events;
}

std::uint32_t tilesUpTo(const std::vector<HeldRows>& held) {
  std::uint32_t tiles = 0;
  for (const HeldRows& own : held) tiles = std::max(tiles, own.tile.tile() + 1);
  return tiles;
}

}  // namespace

/// Goes through the columns once, with the set of tiles that hold the current one.
class RegionSweep {
 public:
  RegionSweep(PartialColumns& result, std::uint32_t tiles)
      : result_(result), set_(ceilDiv(tiles, kBits)), rows_(tiles) {}

  void apply(const HoldEvent& event) {
    std::uint64_t& rows = rows_[event.tile];
    const std::uint64_t bit = std::uint64_t{1} << event.tile % kBits;
    if (event.begins) {
      rows += event.rows;
      result_.most_rows_ = std::max(result_.most_rows_, rows);
      set_[event.tile / kBits] |= bit;
    } else {
      rows -= event.rows;
      if (rows == 0) set_[event.tile / kBits] &= ~bit;
    }
  }

  /// Ends the columns that have the current set.
  void endAt(std::uint64_t column) {
    auto& regions = result_.regions_;
    const std::uint64_t begin = regions.empty() ? 0 : regions.back().end;
    if (column == begin) return;
    const auto [found, is_new] = numbers_.try_emplace(set_, result_.sets_.size());
    if (is_new) {
      result_.sets_.push_back(set_);
      depths_.push_back(tilesIn(set_));
      check(depths_.back() > 0, "a column without a partial");
    }
    if (!regions.empty() && regions.back().tiles == found->second) {
      regions.back().end = column;
    } else {
      regions.push_back({begin, column, found->second, depths_[found->second]});
    }
  }

 private:
  PartialColumns& result_;
  PartialColumns::TileSet set_;
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint64_t> depths_;
  std::map<PartialColumns::TileSet, std::size_t> numbers_;
};

PartialColumns::PartialColumns(const std::vector<HeldRows>& held) {
  RegionSweep sweep(*this, tilesUpTo(held));
  for (const HoldEvent& event : eventsOf(held)) {
    sweep.endAt(event.column);
    sweep.apply(event);
  }
}

std::vector<TileId> PartialColumns::tilesOf(const Region& region) const {
  std::vector<TileId> tiles;
  tiles.reserve(region.depth);
  std::uint32_t first = 0;
  for (std::uint64_t word : sets_.at(region.tiles)) {
    for (; word != 0; word &= word - 1) {
      tiles.emplace_back(first + static_cast<std::uint32_t>(__builtin_ctzll(word)));
    }
    first += kBits;
  }
  return tiles;
}

std::uint64_t PartialColumns::partials() const {
  std::uint64_t sum = 0;
  for (const Region& region : regions_) {
    sum = checkedSum(sum, checkedProduct(region.end - region.begin, region.depth));
  }
  return sum;
}

std::uint64_t PartialColumns::mostTiles() const {
  std::uint64_t most = 0;
  for (const Region& region : regions_) most = std::max(most, region.depth);
  return most;
}

std::uint64_t PartialColumns::tilesInUse() const {
  TileSet all;
  for (const TileSet& set : sets_) {
    all.resize(std::max(all.size(), set.size()));
    for (std::size_t word = 0; word < set.size(); ++word) all[word] |= set[word];
  }
  return tilesIn(all);
}

std::vector<PartialColumns::Region>::const_iterator PartialColumns::regionOf(
    std::uint64_t column) const {
  return std::upper_bound(regions_.begin(), regions_.end(), column,
                          [](std::uint64_t c, const Region& region) { return c < region.end; });
}

std::vector<DepthBand> depthBands(const PartialColumns& partials, std::uint64_t begin,
                                  std::uint64_t end) {
  std::vector<DepthBand> bands;
  for (auto r = partials.regionOf(begin); r != partials.regions().end() && r->begin < end; ++r) {
    if (bands.empty() || bands.back().depth != r->depth) {
      bands.push_back({std::max(begin, r->begin), r->begin, r->depth});
    }
    bands.back().end = std::min(end, r->end);
  }
  return bands;
}

}  // namespace ipusim::workloads
