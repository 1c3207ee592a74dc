// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/element_value.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ipusim/error.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::executor {

TEST(ElementValue, KeepsWhatTheTypeHolds) {
  EXPECT_EQ(roundedTo(ElementType::Float, 0.1F), 0.1F);
  EXPECT_EQ(roundedTo(ElementType::Half, 65504), 65504);
  EXPECT_EQ(roundedTo(ElementType::Int32, -2147483648.0), -2147483648.0);
  EXPECT_EQ(roundedTo(ElementType::UInt32, 4294967295.0), 4294967295.0);
  EXPECT_EQ(roundedTo(ElementType::UInt16, 65535), 65535);
  EXPECT_EQ(roundedTo(ElementType::Bool, 3), 1);
}

TEST(ElementValue, RoundsAHalfToNearestEven) {
  // Halves are 2 apart from 2048 on.
  EXPECT_EQ(roundedTo(ElementType::Half, 2049), 2048);
  EXPECT_EQ(roundedTo(ElementType::Half, 2050.5), 2050);
  EXPECT_EQ(roundedTo(ElementType::Half, 2051), 2052);
  EXPECT_TRUE(std::isinf(roundedTo(ElementType::Half, 65520)));
}

// 3 bits of fraction, and 2^-10 apart below 2^-7.
TEST(ElementValue, RoundsAQuarterToNearestEvenWithinItsRange) {
  EXPECT_EQ(roundedTo(ElementType::Quarter, 1.0625), 1);
  EXPECT_EQ(roundedTo(ElementType::Quarter, -1.1875), -1.25);
  EXPECT_EQ(roundedTo(ElementType::Quarter, 15.9), 16);
  EXPECT_EQ(roundedTo(ElementType::Quarter, 1000), 240);
  EXPECT_EQ(roundedTo(ElementType::Quarter, std::ldexp(1.0, -10)), std::ldexp(1.0, -10));
  EXPECT_EQ(roundedTo(ElementType::Quarter, std::ldexp(1.0, -11)), 0);
  EXPECT_EQ(roundedTo(ElementType::Quarter, std::ldexp(1.5, -11)), std::ldexp(1.0, -10));
  EXPECT_TRUE(std::isnan(roundedTo(ElementType::Quarter, std::nan(""))));
}

TEST(ElementValue, HasEveryCodeOfAQuarter) {
  std::size_t kept = 0;
  for (int code = 0; code < 256; ++code) {
    const std::byte stored{static_cast<std::uint8_t>(code)};
    const double value = loadElement(ElementType::Quarter, &stored);
    std::byte again{};
    storeElement(ElementType::Quarter, value, &again);
    kept += again == stored ? 1 : 0;
  }
  EXPECT_EQ(kept, 256);
}

TEST(ElementValue, TakesTheBytesOfTheTypeOnly) {
  std::array<std::byte, 4> memory{};
  storeElement(ElementType::UInt16, 0x0201, memory.data() + 1);
  EXPECT_EQ(memory[0], std::byte{0});
  EXPECT_EQ(memory[1], std::byte{1});
  EXPECT_EQ(memory[2], std::byte{2});
  EXPECT_EQ(memory[3], std::byte{0});
}

TEST(ElementValue, RejectsWhatAnIntegerDoesNotHold) {
  EXPECT_THROW(roundedTo(ElementType::Int32, 0.5), InternalError);
  EXPECT_THROW(roundedTo(ElementType::UInt32, -1), InternalError);
  EXPECT_THROW(roundedTo(ElementType::UInt16, 65536), InternalError);
  EXPECT_THROW(roundedTo(ElementType::Int32, std::nan("")), InternalError);
}

TEST(ElementValue, ReadsPoisonAsNoNumberOfAProgram) {
  const std::array<std::byte, 4> memory{kPoison, kPoison, kPoison, kPoison};
  EXPECT_TRUE(std::isnan(loadElement(ElementType::Float, memory.data())));
  EXPECT_TRUE(std::isnan(loadElement(ElementType::Half, memory.data())));
  EXPECT_EQ(loadElement(ElementType::Int32, memory.data()), -1);
  EXPECT_EQ(loadElement(ElementType::UInt16, memory.data()), 65535);
}

}  // namespace ipusim::executor
