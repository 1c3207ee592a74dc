// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/score.h"

#include <gtest/gtest.h>

namespace ipusim::reproduce {
namespace {

using validate::Role;
using validate::Status;
using validate::Verdict;

Verdict verdict(std::optional<double> predicted, Role role = Role::Validate) {
  const Status status = predicted ? Status::Ok : Status::DoesNotFit;
  return {"A", "kind", "s", 100, status, predicted, "", role};
}

TEST(Score, CountsBoundsAsWithin) {
  const Score score =
      scoreOf({verdict(110), verdict(90), verdict(110.1), verdict(130), verdict(70)});
  EXPECT_EQ(score.numbers, 5U);
  EXPECT_EQ(score.within_10_percent, 2U);
  EXPECT_EQ(score.within_30_percent, 5U);
  EXPECT_EQ(score.missed, 0U);
}

TEST(Score, CountsWhatIsFarOffOrNotPredictedAsMissed) {
  const Score score = scoreOf({verdict(130.1), verdict(69), verdict(std::nullopt)});
  EXPECT_EQ(score.numbers, 3U);
  EXPECT_EQ(score.within_30_percent, 0U);
  EXPECT_EQ(score.missed, 3U);
}

TEST(Score, LeavesOutOtherItemsAndRoles) {
  const Verdicts verdicts = {verdict(100), std::nullopt, verdict(100, Role::Constant)};
  EXPECT_EQ(scoreOf(verdicts).numbers, 2U);
  EXPECT_EQ(scoreOf(verdicts, Role::Constant).numbers, 1U);
  EXPECT_EQ(scoreOf(verdicts, Role::Calibrate).numbers, 0U);
}

}  // namespace
}  // namespace ipusim::reproduce
