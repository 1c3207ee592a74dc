// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/packed_number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ipusim {
namespace {

std::vector<std::uint8_t> packed(std::uint64_t number) {
  std::vector<std::uint8_t> bytes;
  appendPacked(bytes, number);
  return bytes;
}

TEST(PackedNumber, TakesOneByteForSevenBits) {
  EXPECT_EQ(packed(0), (std::vector<std::uint8_t>{0}));
  EXPECT_EQ(packed(127), (std::vector<std::uint8_t>{127}));
  EXPECT_EQ(packed(128), (std::vector<std::uint8_t>{128, 1}));
  EXPECT_EQ(packed(300), (std::vector<std::uint8_t>{172, 2}));
}

TEST(PackedNumber, TakesTenBytesForTheLargest) {
  std::vector<std::uint8_t> expected(9, 255);
  expected.push_back(1);
  EXPECT_EQ(packed(std::numeric_limits<std::uint64_t>::max()), expected);
}

TEST(PackedNumber, FollowsWhatATextHolds) {
  std::string text = "a";
  appendPacked(text, 300);
  EXPECT_EQ(text, "a\xac\x02");
}

}  // namespace
}  // namespace ipusim
