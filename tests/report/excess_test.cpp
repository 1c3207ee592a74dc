// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/excess.h"

#include <gtest/gtest.h>

namespace ipusim::report {

TEST(HostLimits, AreExceededOnlyWhereTheEstimateIsSure) {
  const run::HostCost cost{10, Bytes(4'000'000'000)};
  EXPECT_EQ(describeExcess(cost, {}), std::nullopt);
  EXPECT_EQ(describeExcess(cost, {5.0, Bytes(2'000'000'000)}), std::nullopt);
  EXPECT_EQ(describeExcess(cost, {4.9, {}}), "about 10.0 s, more than 4.90 s");
  EXPECT_EQ(describeExcess(cost, {{}, Bytes(1'900'000'000)}), "about 4.00 GB, more than 1.90 GB");
}

}  // namespace ipusim::report
