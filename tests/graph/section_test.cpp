// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/section.h"

#include <gtest/gtest.h>

namespace ipusim::workloads {

namespace {

constexpr VariableId kSome{0};

}  // namespace

TEST(Section, SpansFromItsFirstToItsLastElement) {
  const Section section{kSome, 5, {{3, 10}, {2, 1}}};  // 5 6, 15 16, 25 26
  EXPECT_EQ(section.elements(), 6U);
  EXPECT_EQ(section.end(), 27U);
}

TEST(Normalize, JoinsALevelThatContinuesTheOneInside) {
  SectionDims dims{{3, 8}, {1, 99}, {4, 2}};  // 4 steps of 2 end where the next 8 begins
  normalize(dims);
  EXPECT_EQ(dims, (SectionDims{{12, 2}}));
}

TEST(Normalize, KeepsLevelsApartThatLeaveAGap) {
  SectionDims dims{{3, 9}, {4, 2}};
  normalize(dims);
  EXPECT_EQ(dims, (SectionDims{{3, 9}, {4, 2}}));
}

TEST(AppendRegular, MakesEquallySpacedSectionsOne) {
  View view;
  for (const std::uint64_t offset : {100, 300, 500})
    appendRegular(view, contiguous(kSome, offset, 4));
  ASSERT_EQ(view.size(), 1U);
  EXPECT_EQ(view.front(), (Section{kSome, 100, {{3, 200}, {4, 1}}}));
}

TEST(AppendRegular, StartsAgainWhereTheDistanceChanges) {
  View view;
  for (const std::uint64_t offset : {0, 10, 25}) appendRegular(view, contiguous(kSome, offset, 4));
  ASSERT_EQ(view.size(), 2U);
  EXPECT_EQ(view.back(), contiguous(kSome, 25, 4));
}

TEST(Repeated, WrapsASectionInOneMoreLevel) {
  const View view = repeated({contiguous(kSome, 7, 4)}, 5, 40);
  ASSERT_EQ(view.size(), 1U);
  EXPECT_EQ(view.front(), (Section{kSome, 7, {{5, 40}, {4, 1}}}));
}

}  // namespace ipusim::workloads
