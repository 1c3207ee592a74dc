// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/held_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "tests/reduce_planner/planner_machines.h"
#include "workloads/ops/reduce/planner/partial_columns.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;

using Hold = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/// Begin, end, inner and outer of each.
std::vector<Hold> holdsOf(const std::vector<HeldRows>& held) {
  std::vector<Hold> holds;
  for (const HeldRows& own : held) holds.emplace_back(own.begin, own.end, own.inner, own.outer);
  return holds;
}

TEST(HeldOfRows, CountsWholeRowsAndTheColumnsThatHaveOneMore) {
  // Rows of 10: elements 3 to 26 have columns 3 to 5 three times.
  EXPECT_THAT(holdsOf(heldOfRows(10, {{TileId(0), 3, 26}})),
              ElementsAre(Hold(0, 3, 1, 2), Hold(3, 6, 1, 3), Hold(6, 10, 1, 2)));
}

TEST(HeldOfRows, HasColumnsAtBothEndsOfTheMatrix) {
  EXPECT_THAT(holdsOf(heldOfRows(10, {{TileId(0), 8, 13}})),
              ElementsAre(Hold(0, 3, 1, 1), Hold(8, 10, 1, 1)));
  EXPECT_THAT(holdsOf(heldOfRows(10, {{TileId(0), 8, 23}})),
              ElementsAre(Hold(0, 3, 1, 2), Hold(3, 8, 1, 1), Hold(8, 10, 1, 2)));
}

TEST(HeldOfRows, OfOneColumnFollowEachOther) {
  EXPECT_THAT(holdsOf(heldOfRows(1, {{TileId(0), 8, 23}})), ElementsAre(Hold(0, 1, 15, 1)));
}

TEST(HeldOfColumns, CutsTheFirstAndTheLastColumn) {
  EXPECT_THAT(holdsOf(heldOfColumns(10, {{TileId(0), 3, 26}})),
              ElementsAre(Hold(0, 1, 7, 1), Hold(1, 2, 10, 1), Hold(2, 3, 6, 1)));
  EXPECT_THAT(holdsOf(heldOfColumns(10, {{TileId(0), 3, 6}})), ElementsAre(Hold(0, 1, 3, 1)));
  EXPECT_THAT(holdsOf(heldOfColumns(10, {{TileId(0), 10, 30}})), ElementsAre(Hold(1, 3, 10, 1)));
}

TEST(MappedLinearly, PutsAtLeast128BytesOnATileInGrainsOf8) {
  // 70 floats are 35 grains, and a tile has at least 16 of them.
  const auto intervals = mappedLinearly(withTiles(4), ElementType::Float, 70);
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_EQ(intervals[0].end, 34U);
  EXPECT_EQ(intervals[1].end, 70U);
}

TEST(SpreadLinearly, GoesOnFromTheFirstTileAfterTheLast) {
  const auto intervals = spreadLinearly(withTiles(4), {8, 1, 1, 3});
  ASSERT_EQ(intervals.size(), 4U);
  EXPECT_EQ(intervals[0].tile, TileId(3));
  EXPECT_EQ(intervals[1].tile, TileId(0));
}

TEST(PartialColumns, JoinsNeighboursOnTheSameTiles) {
  const PartialColumns partials({{TileId(0), 0, 4},
                                 {TileId(2), 0, 4},
                                 {TileId(2), 4, 8},
                                 {TileId(0), 4, 6},
                                 {TileId(1), 6, 8}});
  ASSERT_EQ(partials.regions().size(), 2U);
  EXPECT_EQ(partials.regions()[0].end, 6U);
  EXPECT_THAT(partials.tilesOf(partials.regions()[0]), ElementsAre(TileId(0), TileId(2)));
  EXPECT_THAT(partials.tilesOf(partials.regions()[1]), ElementsAre(TileId(1), TileId(2)));
  EXPECT_EQ(partials.partials(), 16U);
  EXPECT_EQ(partials.tilesInUse(), 3U);
  EXPECT_EQ(partials.mostRowsOfTile(), 1U);
}

TEST(PartialColumns, CountsOnePartialOfAllRowsOfATile) {
  const PartialColumns partials({{TileId(70), 0, 4, 1, 3, 4}, {TileId(70), 2, 4}});
  ASSERT_EQ(partials.regions().size(), 1U);
  EXPECT_EQ(partials.mostTiles(), 1U);
  EXPECT_EQ(partials.mostRowsOfTile(), 4U);
}

TEST(PartialColumns, RefuseAColumnThatNobodyHolds) {
  EXPECT_THROW(PartialColumns({{TileId(0), 0, 4}, {TileId(0), 5, 6}}), InternalError);
}

TEST(DepthBands, AreOfTheColumnsAskedFor) {
  const PartialColumns partials({{TileId(0), 0, 4}, {TileId(1), 2, 8}, {TileId(2), 4, 8}});
  const auto bands = depthBands(partials, 1, 7);
  ASSERT_EQ(bands.size(), 2U);
  EXPECT_EQ(bands[0].begin, 1U);
  EXPECT_EQ(bands[0].end, 2U);
  EXPECT_EQ(bands[1].end, 7U);
  EXPECT_EQ(bands[1].depth, 2U);
}

}  // namespace
}  // namespace ipusim::workloads
