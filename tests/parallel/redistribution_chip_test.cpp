// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/parallel/redistribution/study.h"

namespace ipusim::parallel {
namespace {

TEST(RedistributionOnAChip, ExecutesEveryWayWithRightNumbers) {
  const Machine machine = readPreset("gc200");
  int executed = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const std::uint32_t devices : {6U, 8U, 24U}) {
      const Redistribution asked = randomRedistribution(devices, seed);
      const ElementType type = seed % 2 == 0 ? ElementType::Float : ElementType::Half;
      for (const WayReport& way : study(asked, type, machine, WithNumbers::Yes).ways) {
        if (way.plan == "none" || !way.fits) continue;
        ++executed;
        EXPECT_EQ(way.is_right, true) << way.name << " " << way.plan << " seed " << seed;
        EXPECT_GT(way.seconds, 0) << way.name;
      }
    }
  }
  EXPECT_GT(executed, 100);  // what does not fit has no numbers
}

TEST(RedistributionOnAChip, SaysWhatDoesNotFit) {
  const Mesh mesh = parseMesh("x=4");
  const Redistribution asked{mesh, parseType("[65536{x}262144]", mesh),
                             parseType("[262144{}262144]", mesh)};
  const RedistributionReport report =
      study(asked, ElementType::Float, readPreset("gc200"), WithNumbers::Yes);
  EXPECT_FALSE(report.ways.front().fits);
  EXPECT_FALSE(report.ways.front().is_right.has_value());
}

}  // namespace
}  // namespace ipusim::parallel
