// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "workloads/vertices/float_bits.h"

namespace ipusim::workloads {

namespace {

std::vector<Half> allHalves() {
  std::vector<Half> halves(1U << 16U);
  for (std::uint32_t bits = 0; bits < halves.size(); ++bits) {
    halves[bits].x = static_cast<std::uint16_t>(bits);
  }
  return halves;
}

bool isSame(float a, float b) {
  return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b));
}

/// Each half as a float, the floats half way to the next half, their neighbours, and any bits.
std::vector<float> floatsToRound() {
  std::vector<float> floats;
  constexpr std::uint32_t kHalfWay = 0x1000;
  for (const Half half : allHalves()) {
    const std::uint32_t bits = bitsOf(static_cast<float>(half));
    for (const std::uint32_t more : {0U, 1U, kHalfWay - 1, kHalfWay, kHalfWay + 1}) {
      floats.push_back(floatOf(bits + more));
    }
  }
  std::mt19937 random;
  for (int i = 0; i < 1'000'000; ++i)
    floats.push_back(floatOf(static_cast<std::uint32_t>(random())));
  return floats;
}

}  // namespace

TEST(Convert, MakesOfEachHalfTheFloatThatItIs) {
  const std::vector<Half> halves = allHalves();
  std::vector<float> floats(halves.size());
  toFloats(halves.data(), halves.size(), floats.data());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const auto wanted = static_cast<float>(halves[i]);
    ASSERT_TRUE(isSame(floats[i], wanted)) << i;
    ASSERT_TRUE(isSame(floatOfHalfBits(halves[i].x), wanted)) << i;
  }
}

TEST(Convert, RoundsAFloatToTheNearestHalf) {
  const std::vector<float> floats = floatsToRound();
  std::vector<Half> halves(floats.size());
  fromFloats(floats.data(), floats.size(), halves.data());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const Half wanted(floats[i]);
    if (std::isnan(floats[i])) {
      ASSERT_TRUE(std::isnan(static_cast<float>(halves[i])));
    } else {
      ASSERT_EQ(halves[i].x, wanted.x) << floats[i];
    }
    ASSERT_EQ(halfBits(floats[i]), wanted.x) << floats[i];
  }
}

TEST(Convert, TakesAnyNumberOfElements) {
  const std::vector<Half> halves{Half(1), Half(2), Half(3), Half(4), Half(5),
                                 Half(6), Half(7), Half(8), Half(9), Half(10)};
  for (std::size_t count = 0; count <= halves.size(); ++count) {
    std::vector<float> floats(halves.size(), -1);
    toFloats(halves.data(), count, floats.data());
    std::vector<Half> back(halves.size(), Half(-1));
    fromFloats(floats.data(), count, back.data());
    for (std::size_t i = 0; i < halves.size(); ++i) {
      EXPECT_EQ(floats[i], i < count ? static_cast<float>(i + 1) : -1);
      EXPECT_EQ(static_cast<float>(back[i]), floats[i]);
    }
  }
}

}  // namespace ipusim::workloads
