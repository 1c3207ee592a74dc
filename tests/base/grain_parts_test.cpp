// SPDX-License-Identifier: Apache-2.0
#include "base/numbers/grain_parts.h"

#include <gtest/gtest.h>

namespace ipusim {
namespace {

TEST(GrainParts, DifferByOneGrainAtMost) {
  // 20 elements are 5 grains: 1, 2 and 2 of them.
  const GrainParts parts = splitInGrains(20, {4, 3});
  ASSERT_EQ(parts.parts, 3U);
  EXPECT_EQ(parts.beginOf(1), 4U);
  EXPECT_EQ(parts.beginOf(2), 12U);
  EXPECT_EQ(parts.beginOf(3), 20U);
  EXPECT_EQ(parts.widest(), 8U);
}

TEST(GrainParts, AreNoMoreThanTheLargestMakesNecessary) {
  // The largest of 4 parts would have 2 of the 5 grains, and 3 parts are enough for that.
  EXPECT_EQ(splitInGrains(5, {1, 4}).parts, 3U);
}

TEST(GrainParts, HaveTheLeastNumberOfElementsWhereThereAreSoMany) {
  EXPECT_EQ(splitInGrains(32, {1, 8, 10}).parts, 3U);
  EXPECT_EQ(splitInGrains(5, {1, 8, 10}).parts, 1U);
}

TEST(GrainParts, CutOnlyTheLastGrain) {
  const GrainParts parts = splitInGrains(9, {2, 2});
  EXPECT_EQ(parts.beginOf(1), 4U);
  EXPECT_EQ(parts.beginOf(2), 9U);
  EXPECT_EQ(parts.widest(), 5U);
}

TEST(GrainParts, OfNothingAreNone) {
  EXPECT_EQ(splitInGrains(0, {4, 6}).parts, 0U);
  EXPECT_EQ(splitInGrains(0, {4, 6}).widest(), 0U);
}

}  // namespace
}  // namespace ipusim
