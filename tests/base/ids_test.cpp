// SPDX-License-Identifier: Apache-2.0
#include "ipusim/ids.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace ipusim {
namespace {

TEST(Ids, AreNotTakenForOneAnotherOrForNumbers) {
  EXPECT_FALSE((std::is_convertible_v<VariableId, BlockId>));
  EXPECT_FALSE((std::is_convertible_v<std::uint32_t, StepId>));
  EXPECT_FALSE((std::is_convertible_v<StepId, std::uint32_t>));
  EXPECT_FALSE((std::is_convertible_v<std::uint32_t, TileId>));
}

TEST(TileId, HoldsTheIpuAndThePlaceOnIt) {
  const TileId tile(3, 1471);
  EXPECT_EQ(tile.ipu(), 3U);
  EXPECT_EQ(tile.tile(), 1471U);
  EXPECT_EQ(TileId(17), TileId(0, 17));
}

TEST(TileId, OrdersByIpuThenPlace) {
  EXPECT_LT(TileId(0, 1471), TileId(1, 0));
  EXPECT_LT(TileId(1, 4), TileId(1, 5));
  EXPECT_NE(TileId(1, 4), TileId(0, 4));
}

}  // namespace
}  // namespace ipusim
