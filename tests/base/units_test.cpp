// SPDX-License-Identifier: Apache-2.0
#include "ipusim/units.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace ipusim {
namespace {

using namespace ipusim::literals;

static_assert(!std::is_convertible_v<std::uint64_t, Cycles>, "a bare number is no cycle count");
static_assert(!std::is_convertible_v<Bytes, Cycles>, "bytes are no cycles");
static_assert(!std::is_convertible_v<Cycles, std::uint64_t>, "a count is left by value()");

TEST(CeilDiv, RoundsUp) {
  EXPECT_EQ(ceilDiv(0, 4), 0);
  EXPECT_EQ(ceilDiv(1, 4), 1);
  EXPECT_EQ(ceilDiv(4, 4), 1);
  EXPECT_EQ(ceilDiv(5, 4), 2);
}

TEST(CeilDiv, IsRightForTheLargestNumbers) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(ceilDiv(kMost, kMost), 1U);
  EXPECT_EQ(ceilDiv(kMost, std::uint64_t{2}), std::uint64_t{1} << 63U);
}

TEST(RoundUp, NeverWraps) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(roundUp(kMost - 7, std::uint64_t{8}), kMost - 7);
  EXPECT_THROW((void)roundUp(kMost, std::uint64_t{8}), CountError);
}

TEST(RoundUp, GoesToTheNextGrain) {
  EXPECT_EQ(roundUp(0, 8), 0);
  EXPECT_EQ(roundUp(1, 8), 8);
  EXPECT_EQ(roundUp(8, 8), 8);
}

TEST(Count, AddsScalesAndCompares) {
  Cycles sum = 3_cycles + 4_cycles;
  sum += 1_cycles;
  EXPECT_EQ(sum, 8_cycles);
  EXPECT_EQ(2 * sum, 16_cycles);
  EXPECT_LT(7_cycles, sum);
  EXPECT_EQ(Cycles(), 0_cycles);
}

TEST(Count, NeverWraps) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
  const Flops most(kHalf + (kHalf - 1));
  EXPECT_EQ(Flops(kHalf) + Flops(kHalf - 1), most);
  EXPECT_EQ(Flops(kHalf / 4) * 7, Flops(kHalf) + Flops(kHalf / 4 * 3));
  EXPECT_THROW((void)(most + Flops(1)), CountError);
  EXPECT_THROW((void)(Flops(kHalf) * 2), CountError);
  EXPECT_THROW((void)(2 * Flops(kHalf)), CountError);
  Flops sum(kHalf);
  EXPECT_THROW(sum += Flops(kHalf), CountError);
  EXPECT_EQ(sum, Flops(kHalf)) << "what cannot be counted is not added";
}

TEST(Excess, StopsAtZero) {
  EXPECT_EQ(excess(5_B, 3_B), 2_B);
  EXPECT_EQ(excess(3_B, 5_B), 0_B);
}

TEST(CyclesFor, CountsAPartUsedCycle) {
  EXPECT_EQ(cyclesFor(0_B, BytesPerCycle(4)), 0_cycles);
  EXPECT_EQ(cyclesFor(5_B, BytesPerCycle(4)), 2_cycles);
}

TEST(SecondsOf, DividesByTheClock) {
  EXPECT_DOUBLE_EQ(secondsOf(665_cycles, 1.33e9), 0.5e-6);
}

}  // namespace
}  // namespace ipusim
