// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/powers_of_two.h"

#include <gtest/gtest.h>

namespace ipusim {
namespace {

TEST(PowersOfTwo, HaveOneBit) {
  for (const std::uint64_t power : {1U, 2U, 64U}) EXPECT_TRUE(isPowerOfTwo(power)) << power;
  EXPECT_TRUE(isPowerOfTwo(std::uint64_t{1} << 63U));
  for (const std::uint64_t other : {0U, 3U, 6U, 65U}) EXPECT_FALSE(isPowerOfTwo(other)) << other;
}

TEST(FloorLog2, GoesDownToAPower) {
  EXPECT_EQ(floorLog2(1), 0);
  EXPECT_EQ(floorLog2(7), 2);
  EXPECT_EQ(floorLog2(8), 3);
  EXPECT_EQ(floorLog2(~std::uint64_t{0}), 63);
}

TEST(CeilLog2, GoesUpToAPower) {
  EXPECT_EQ(ceilLog2(1), 0);
  EXPECT_EQ(ceilLog2(8), 3);
  EXPECT_EQ(ceilLog2(9), 4);
  EXPECT_EQ(ceilLog2(~std::uint64_t{0}), 64);
}

}  // namespace
}  // namespace ipusim
