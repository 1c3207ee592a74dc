// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/units.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;

TEST(UsefulSplits, LeaveOutThoseThatKeepTheLargestPart) {
  // Ten grains: parts of 10, 5, 4, 3, 2 and 1; 6 to 9 parts would leave a part of 2.
  EXPECT_THAT(usefulSplits(10, 100), ElementsAre(1, 2, 3, 4, 5, 10));
}

TEST(UsefulSplits, AreAllThatEqualTheirOwnRoundTrip) {
  for (std::uint64_t grains = 1; grains <= 200; ++grains) {
    std::vector<std::uint32_t> expected;
    for (std::uint64_t split = 1; split <= grains; ++split) {
      if (split == ceilDiv(grains, ceilDiv(grains, split))) {
        expected.push_back(static_cast<std::uint32_t>(split));
      }
    }
    EXPECT_EQ(usefulSplits(grains, 1000), expected) << grains;
  }
}

TEST(UsefulSplits, StopAtTheLimit) {
  EXPECT_THAT(usefulSplits(10, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(usefulSplits(1, 4), ElementsAre(1));
}

TEST(SplitPairs, DivideTheChannelsSerially) {
  // 12 channels in 3 grains: products 1, 2 and 3, of which 2 and 3 may be serial.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const SplitPair& pair : splitPairs(12, 3, 100))
    pairs.emplace_back(pair.parallel, pair.serial);
  using P = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(pairs, ElementsAre(P(1, 1), P(2, 1), P(1, 2), P(3, 1), P(1, 3)));
}

TEST(SplitPairs, LeaveOutSerialSplitsThatMakeUnevenSteps) {
  for (const SplitPair& pair : splitPairs(10, 10, 100)) EXPECT_EQ(10 % pair.serial, 0U);
}

TEST(SplitPairs, NeedAUsefulProduct) {
  // 256 grains in 22 * 4 = 88 parts have as large a part as in 86.
  for (const SplitPair& pair : splitPairs(4096, 256, 1472)) {
    const std::uint64_t product = std::uint64_t{pair.parallel} * pair.serial;
    EXPECT_EQ(product, ceilDiv<std::uint64_t>(256, ceilDiv<std::uint64_t>(256, product)));
  }
}

TEST(SplitPairs, KeepTheParallelPartWithinTheLimit) {
  for (const SplitPair& pair : splitPairs(64, 64, 8)) EXPECT_LE(pair.parallel, 8U);
}

}  // namespace
}  // namespace ipusim::workloads
