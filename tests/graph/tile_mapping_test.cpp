// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>
#include <tuple>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim {

using testing::ElementsAre;

namespace {

/// Begin, end, tile and local place of each interval.
using Listed = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint64_t>;
std::vector<Listed> listOf(const TileMapping& mapping) {
  std::vector<Listed> list;
  for (const MappedInterval& interval : mapping.intervals()) {
    list.emplace_back(interval.begin, interval.end, interval.tile.tile(), interval.local);
  }
  return list;
}

}  // namespace

TEST(TileMapping, JoinsNeighboursOnOneTile) {
  TileMapping mapping;
  mapping.set(0, 4, TileId(1));
  mapping.set(4, 8, TileId(1));
  EXPECT_THAT(listOf(mapping), ElementsAre(Listed(0, 8, 1, 0)));
}

TEST(TileMapping, ALaterCallCutsAnEarlierOne) {
  TileMapping mapping;
  mapping.set(0, 10, TileId(1));
  mapping.set(4, 6, TileId(2));
  EXPECT_THAT(listOf(mapping),
              ElementsAre(Listed(0, 4, 1, 0), Listed(4, 6, 2, 0), Listed(6, 10, 1, 4)));
}

TEST(TileMapping, TakesMoreCallsAfterItWasRead) {
  TileMapping mapping;
  mapping.set(4, 8, TileId(0));
  EXPECT_EQ(mapping.intervals().size(), 1U);
  mapping.set(0, 4, TileId(3));
  mapping.set(6, 9, TileId(3));
  EXPECT_THAT(listOf(mapping),
              ElementsAre(Listed(0, 4, 3, 0), Listed(4, 6, 0, 0), Listed(6, 9, 3, 4)));
}

TEST(TileMapping, HasTheTileOfTheLastCallForEachElement) {
  constexpr std::uint64_t kElements = 200;
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    TileMapping mapping;
    std::vector<TileId> tile_of(kElements, TileId(9));
    mapping.set(0, kElements, TileId(9));
    for (int call = 0; call < 20; ++call) {
      const std::uint64_t begin = random() % kElements;
      const std::uint64_t end = begin + random() % (kElements - begin);
      const TileId tile(static_cast<std::uint32_t>(random() % 4));
      mapping.set(begin, end, tile);
      std::fill(tile_of.begin() + static_cast<std::ptrdiff_t>(begin),
                tile_of.begin() + static_cast<std::ptrdiff_t>(end), tile);
    }
    std::vector<TileId> found;
    for (const MappedInterval& interval : mapping.intervals()) {
      EXPECT_EQ(interval.begin, found.size());
      found.resize(interval.end, interval.tile);
    }
    EXPECT_EQ(found, tile_of);
  }
}

}  // namespace ipusim
