// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/map_scalars.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"

namespace ipusim::workloads {
namespace {

TEST(MapScalars, ASumTakesThePlaceOfTheFirstOperand) {
  EXPECT_EQ(computed(mapScalarsVertex(ScalarMap::Add), {{4294967295.0}, {3}}, 0), (Numbers{2}));
}

TEST(MapScalars, AComparisonGivesOneOrZero) {
  const VertexType type = mapScalarsVertex(ScalarMap::LessThan);
  EXPECT_EQ(computed(type, {{2}, {3}}, 2), (Numbers{1}));
  EXPECT_EQ(computed(type, {{3}, {3}}, 2), (Numbers{0}));
}

TEST(MapScalars, CostsThePublishedEstimateOfOneWorker) {
  EXPECT_EQ(mapScalarsVertex(ScalarMap::Add).cycles(models::gc200()), Cycles(13 + 2));
}

}  // namespace
}  // namespace ipusim::workloads
