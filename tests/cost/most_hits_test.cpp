// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/most_hits.h"

#include <gtest/gtest.h>

namespace ipusim::models {
namespace {

TEST(MostHits, OneWhoWaitsHasTheMedian) {
  // P(at most 2 hits) is 0.68 with a mean of 2, and P(at most 1) is 0.41.
  EXPECT_EQ(mostHits({2, 1}), 2U);
  EXPECT_EQ(mostHits({0, 1000}), 0U);
}

TEST(MostHits, GrowWithThoseWhoWait) {
  std::uint64_t before = 0;
  for (const std::uint64_t waiting : {1, 10, 100, 1000}) {
    const std::uint64_t most = mostHits({5, waiting});
    EXPECT_GT(most, before);
    before = most;
  }
}

TEST(MostHits, TheTwoDistributionsMeet) {
  const double poisson = static_cast<double>(mostHits({500, 100}));
  EXPECT_NEAR(static_cast<double>(mostHits({500.001, 100})), poisson, 0.04 * poisson);
}

}  // namespace
}  // namespace ipusim::models
