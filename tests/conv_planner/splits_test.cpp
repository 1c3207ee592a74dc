// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipusim/units.h"

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

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairsOf(std::uint64_t grains, const SplitLimits& limits) {
  Pairs pairs;
  for (const SplitPair& pair : splitPairs(grains, limits)) {
    pairs.emplace_back(pair.parallel, pair.serial);
  }
  return pairs;
}

TEST(SplitPairs, AreTheFactorsOfUsefulSplits) {
  using P = Pairs::value_type;
  EXPECT_THAT(pairsOf(3, {100, 100}), ElementsAre(P(1, 1), P(2, 1), P(1, 2), P(3, 1), P(1, 3)));
}

TEST(SplitPairs, AreAllWhoseProductEqualsItsOwnRoundTrip) {
  for (std::uint64_t grains = 1; grains <= 60; ++grains) {
    Pairs expected;
    for (std::uint32_t product = 1; product <= grains; ++product) {
      if (product != ceilDiv(grains, ceilDiv<std::uint64_t>(grains, product))) continue;
      for (std::uint32_t serial = 1; serial <= product; ++serial) {
        if (product % serial == 0) expected.emplace_back(product / serial, serial);
      }
    }
    EXPECT_EQ(pairsOf(grains, {100, 100}), expected) << grains;
  }
}

TEST(SplitPairs, NeedNotDivideTheGrains) {
  // 188 groups of 16 channels, 3001 of them: 16 parts in 2 steps of 94, 6 groups per part at most.
  EXPECT_THAT(pairsOf(188, {1472, 100}), testing::Contains(testing::Pair(16, 2)));
  EXPECT_THAT(pairsOf(127, {1472, 100}), testing::Contains(testing::Pair(16, 2)));
}

TEST(SplitPairs, KnowTheirLargestPart) {
  for (const SplitPair& pair : splitPairs(256, {1472, 256})) {
    EXPECT_EQ(pair.grains, ceilDiv<std::uint64_t>(256, pair.parallel * pair.serial));
  }
}

TEST(SplitPairs, KeepBothFactorsWithinTheirLimits) {
  for (const SplitPair& pair : splitPairs(64, {8, 4})) {
    EXPECT_LE(pair.parallel, 8U);
    EXPECT_LE(pair.serial, 4U);
  }
  EXPECT_EQ(pairsOf(64, {1, 1}), (Pairs{{1, 1}}));
}

}  // namespace
}  // namespace ipusim::workloads
