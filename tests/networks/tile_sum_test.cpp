// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/tile_sum.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ipusim::workloads {
namespace {

double sumOf(std::uint32_t terms, double term) {
  TileSum sum;
  for (std::uint32_t t = 0; t < terms; ++t) sum += TileSum(term);
  return static_cast<double>(sum);
}

TEST(TileSum, HasTheTermsOfAllItsParts) {
  EXPECT_EQ(sumOf(0, 3), 0);
  EXPECT_EQ(sumOf(63, 3), 189);
  EXPECT_EQ(sumOf(64, 3), 192);
  EXPECT_EQ(sumOf(4096 + 65, 3), 3 * (4096 + 65));
}

// Each level adds a rounding per term of it: 64, 64 and 245. One float to which a million tenths
// are added one by one is off by a percent.
TEST(TileSum, OfAMillionTermsIsNearlyRight) {
  EXPECT_LT(std::abs(sumOf(1'000'000, 0.1) / 1e5 - 1), (64 + 64 + 245) * 0x1p-24);
}

TEST(TileSum, RoundsAsFloatsDo) {
  EXPECT_NE(sumOf(3, 0.1), 0.1 + 0.1 + 0.1);
}

}  // namespace
}  // namespace ipusim::workloads
