// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/element_value.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ipusim/error.h"
#include "sim/execute/tile_memories.h"

namespace ipusim::checker {

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

}  // namespace ipusim::checker
