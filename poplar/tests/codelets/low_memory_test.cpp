// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "poplar/codelets/codelets.h"
#include "tests/support/sanitizer.h"

namespace ipusim::codelets {
namespace {

constexpr Bytes kTile(624UL * 1024);
constexpr std::size_t kTilesOfIpu = 1472;

TEST(LowMemory, HoldsTheTilesOfFourIpus) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "the sanitizer has memory of its own below 4 GB";
  const LowMemory memory(4 * kTilesOfIpu, kTile);
  const std::size_t last = 4 * kTilesOfIpu - 1;
  std::byte* const end = memory.at(last) + kTile.value() - 1;
  EXPECT_EQ(*end, std::byte{0});
  *end = std::byte{7};
  EXPECT_EQ(byteAt(memory.address(last) + static_cast<std::uint32_t>(kTile.value()) - 1), end);
  EXPECT_EQ(*end, std::byte{7});
}

TEST(LowMemory, SaysThatEightIpusFindNoRoom) {
  EXPECT_THROW(LowMemory(8 * kTilesOfIpu, kTile), ConfigError);
}

TEST(LowMemory, HasAGuardBehindEveryPiece) {
  const LowMemory memory(2, Bytes(1));
  EXPECT_EQ(memory.address(1) - memory.address(0), 8192U) << "a page, and one that guards it";
  EXPECT_DEATH(*(memory.at(0) + 4096) = std::byte{1}, "");
}

TEST(LowMemory, MovesWithItsOwner) {
  LowMemory first(1, Bytes(100));
  const std::uint32_t address = first.address(0);
  LowMemory second(std::move(first));
  LowMemory third;
  third = std::move(second);
  EXPECT_EQ(third.address(0), address);
  *third.at(0) = std::byte{1};
  EXPECT_EQ(*third.at(0), std::byte{1});
}

}  // namespace
}  // namespace ipusim::codelets
