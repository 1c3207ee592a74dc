// SPDX-License-Identifier: Apache-2.0
#include "ipusim/section.h"

#include <gtest/gtest.h>

#include "tests/graph/section_of.h"

namespace ipusim::workloads {

TEST(Section, SpansFromItsFirstToItsLastElement) {
  const Section section = sectionOf(5, {{3, 10}, {2, 1}});  // 5 6, 15 16, 25 26
  EXPECT_EQ(section.elements(), 6U);
  EXPECT_EQ(section.end(), 27U);
}

TEST(Section, WithoutElementsEndsWhereItBegins) {
  EXPECT_EQ(contiguous(kSomeVariable, 5, 0).end(), 5U);
}

TEST(Section, IsARunWhereItsElementsFollowOneAnother) {
  EXPECT_TRUE(sectionOf(5, {}).isRun());
  EXPECT_TRUE(contiguous(kSomeVariable, 5, 4).isRun());
  EXPECT_FALSE(sectionOf(5, {{4, 2}}).isRun());
  EXPECT_FALSE(sectionOf(5, {{2, 8}, {4, 1}}).isRun());
}

TEST(AppendRegular, MakesEquallySpacedSectionsOne) {
  View view;
  for (const std::uint64_t offset : {100U, 300U, 500U}) {
    appendRegular(view, contiguous(kSomeVariable, offset, 4));
  }
  ASSERT_EQ(view.size(), 1U);
  EXPECT_EQ(view.front(), sectionOf(100, {{3, 200}, {4, 1}}));
}

TEST(AppendRegular, StartsAgainWhereTheDistanceChanges) {
  View view;
  for (const std::uint64_t offset : {0U, 10U, 25U}) {
    appendRegular(view, contiguous(kSomeVariable, offset, 4));
  }
  ASSERT_EQ(view.size(), 2U);
  EXPECT_EQ(view.back(), contiguous(kSomeVariable, 25, 4));
}

TEST(Repeated, WrapsASectionInOneMoreLevel) {
  const View view = repeated({contiguous(kSomeVariable, 7, 4)}, 5, 40);
  ASSERT_EQ(view.size(), 1U);
  EXPECT_EQ(view.front(), sectionOf(7, {{5, 40}, {4, 1}}));
}

}  // namespace ipusim::workloads
