// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/tile_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> tilesOf(const TileList& list) {
  std::vector<std::uint32_t> tiles;
  list.forEach([&](std::uint32_t tile) { tiles.push_back(tile); });
  return tiles;
}

TEST(TileList, HasRangesAndSteps) {
  EXPECT_THAT(tilesOf(*TileList::parse("3", 10)), ElementsAre(3));
  EXPECT_THAT(tilesOf(*TileList::parse("0-2", 10)), ElementsAre(0, 1, 2));
  EXPECT_THAT(tilesOf(*TileList::parse("1-7/3,0", 10)), ElementsAre(1, 4, 7, 0));
}

TEST(TileList, IsRefusedWhereItIsNone) {
  for (const char* text : {"", "-", "1-", "2-1", "0-3/2", "0-4/0", "1,,2", "1,", " 1", "0-10", "10",
                           "99999999999999999999", "1-2x", "0-9/"}) {
    EXPECT_FALSE(TileList::parse(text, 10)) << text;
  }
}

TEST(TileList, WritesWhatItReads) {
  for (const std::string text : {"0", "0-1471", "0-1470/2", "100-1471,0-99", "5,3,1", "0-3,7"}) {
    TileList list;
    for (const std::uint32_t tile : tilesOf(*TileList::parse(text, 2000))) list.add(tile);
    EXPECT_EQ(tilesOf(*TileList::parse(list.text(), 2000)), tilesOf(*TileList::parse(text, 2000)));
    EXPECT_LE(list.text().size(), text.size() + 2);
  }
}

}  // namespace
}  // namespace ipusim::workloads
