// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/sweep_progress.h"

#include <gtest/gtest.h>

namespace ipusim::cli {
namespace {

TEST(DescribeProgress, GivesRateAndTimeLeft) {
  EXPECT_EQ(describeProgress({40, 0, 10}, 5),
            "[#####---------------] 10 of 40 points, 2 points/s, 15 s left");
}

TEST(DescribeProgress, CountsTheRateWithoutPointsThatWereThere) {
  EXPECT_EQ(describeProgress({40, 20, 30}, 100),
            "[###############-----] 30 of 40 points, 0.1 points/s, 1 min 40 s left");
}

TEST(DescribeProgress, HasNoRateBeforeTheFirstPoint) {
  EXPECT_EQ(describeProgress({40, 20, 20}, 3), "[##########----------] 20 of 40 points");
}

TEST(DescribeProgress, HasNoBarOfASweepWithoutPoints) {
  EXPECT_EQ(describeProgress({0, 0, 0}, 1), "0 of 0 points");
}

TEST(DescribeProgress, GivesLongTimesInHours) {
  EXPECT_EQ(describeProgress({100, 0, 1}, 100),
            "[--------------------] 1 of 100 points, 0.01 points/s, 2 h 45 min left");
}

}  // namespace
}  // namespace ipusim::cli
