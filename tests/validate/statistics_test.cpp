// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/statistics.h"

#include <gtest/gtest.h>

namespace ipusim::validate {
namespace {

/// A row with the published value 100.
Verdict statisticsRow(const std::string& kind, std::optional<double> predicted) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.published = 100;
  verdict.predicted = predicted;
  if (!predicted) verdict.status = Status::DoesNotFit;
  return verdict;
}

TEST(ErrorsByKind, AreCountedByHand) {
  // |errors|: 30, 10, 50, 2: sorted 2, 10, 30, 50.
  const auto kinds =
      errorsByKind({statisticsRow("a", 130), statisticsRow("a", 90), statisticsRow("a", 50),
                    statisticsRow("a", 102), statisticsRow("a", {})});
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds[0].rows, 5U);
  EXPECT_EQ(kinds[0].count, 4U);
  EXPECT_DOUBLE_EQ(kinds[0].errors->median_percent, 20);
  EXPECT_DOUBLE_EQ(kinds[0].errors->worst_percent, 50);
  EXPECT_DOUBLE_EQ(kinds[0].errors->within_10_percent, 0.5);
  EXPECT_DOUBLE_EQ(kinds[0].errors->within_30_percent, 0.75);
}

TEST(ErrorsByKind, TheMedianOfAnOddCountIsTheMiddleOne) {
  const auto kinds =
      errorsByKind({statisticsRow("a", 140), statisticsRow("a", 99), statisticsRow("a", 95)});
  EXPECT_DOUBLE_EQ(kinds.at(0).errors->median_percent, 5);
}

TEST(ErrorsByKind, KindsComeInOrderOfAppearance) {
  const auto kinds =
      errorsByKind({statisticsRow("b", 101), statisticsRow("a", 102), statisticsRow("b", 103)});
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].kind, "b");
  EXPECT_DOUBLE_EQ(kinds[0].errors->worst_percent, 3);
  EXPECT_EQ(kinds[1].kind, "a");
  EXPECT_DOUBLE_EQ(kinds[1].errors->worst_percent, 2);
}

TEST(ErrorsByKind, RowsThatWereFittedToAreApart) {
  Verdict fitted = statisticsRow("a", 100);
  fitted.role = Role::Calibrate;
  const auto kinds = errorsByKind({statisticsRow("a", 110), fitted, statisticsRow("a", 120)});
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].role, Role::Validate);
  EXPECT_EQ(kinds[0].count, 2U);
  EXPECT_DOUBLE_EQ(kinds[0].errors->median_percent, 15);
  EXPECT_EQ(kinds[1].role, Role::Calibrate);
  EXPECT_DOUBLE_EQ(kinds[1].errors->worst_percent, 0);
}

TEST(ErrorsByKind, AKindWithoutPredictionsHasNone) {
  const auto kinds = errorsByKind({statisticsRow("a", {})});
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds[0].count, 0U);
  EXPECT_FALSE(kinds[0].errors.has_value());
  EXPECT_TRUE(errorsByKind({}).empty());
}

}  // namespace
}  // namespace ipusim::validate
