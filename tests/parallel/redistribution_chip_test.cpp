// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/parallel/redistribution/chip_graph.h"
#include "sim/parallel/redistribution/study.h"
#include "tests/support/sanitizer.h"

namespace ipusim::parallel {
namespace {

TEST(RedistributionOnAChip, ExecutesEveryWayWithRightNumbers) {
  const Machine machine = readPreset("gc200");
  int executed = 0;
  const std::uint64_t seeds = kHasAddressSanitizer ? 6 : 12;  // 12 take a minute with it
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
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
  EXPECT_GT(executed, kHasAddressSanitizer ? 30 : 100);  // what does not fit has no numbers
}

// Rows of 2,048 halves hold different numbers, so that rows in a wrong order are found.
TEST(RedistributionOnAChip, TellsRowsOfHalvesApart) {
  const Mesh mesh = parseMesh("x=2");
  const ArrayType type = parseType("[1{x}2, 2048{}2048]", mesh);
  const Cells source = cellsOf(type, mesh);
  const Cells swapped{source[1], source[0]};
  const auto chip = graphOf({permutationStep(source, swapped)}, source, {2, 2048},
                            ElementType::Half, WithValues::Yes);
  const auto kept = graphOf({permutationStep(source, source)}, source, {2, 2048}, ElementType::Half,
                            WithValues::Yes);
  EXPECT_NE(chip.wanted, kept.wanted);
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
