// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/cast.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

Numbers cast(ElementType from, ElementType to, const Numbers& values) {
  return computed(castVertex({from, to, Runs::one(values.size())}), {values}, 1);
}

TEST(Cast, RoundsAFloatToTheNearestHalf) {
  EXPECT_EQ(cast(ElementType::Float, ElementType::Half, {1, 2049, 2051, -0.25}),
            (Numbers{1, 2048, 2052, -0.25}));
}

TEST(Cast, CutsANumberBeforeThePoint) {
  EXPECT_EQ(cast(ElementType::Float, ElementType::Int32, {1.75, -1.75}), (Numbers{1, -1}));
}

TEST(Cast, StopsAtTheLimitsOfAnInteger) {
  EXPECT_EQ(cast(ElementType::Float, ElementType::UInt32, {-3, 8e9}), (Numbers{0, 4294967295.0}));
}

TEST(Cast, TakesAnythingButZeroForTrue) {
  EXPECT_EQ(cast(ElementType::Half, ElementType::Bool, {0, 0.25, -2}), (Numbers{0, 1, 1}));
}

TEST(Cast, OfAListGoesOverEveryRun) {
  const VertexType type = castVertex({ElementType::UInt32, ElementType::Float, Runs::list({2, 1})});
  EXPECT_EQ(computed(type, {{7, 8, 9}}, 1), (Numbers{7, 8, 9}));
  EXPECT_EQ(type.fields[0].edges(), 2);
  EXPECT_EQ(type.name, "popops::Cast2D<unsigned int,float>");
}

TEST(Cast, CostsThePublishedEstimate) {
  const models::CastTypes types = models::castTypes(ElementType::Half, ElementType::Float);
  const VertexType one = castVertex({ElementType::Half, ElementType::Float, Runs::one(3269)});
  const VertexType list = castVertex({ElementType::Half, ElementType::Float, Runs::list({5, 9})});
  EXPECT_EQ(one.cycles(models::gc200()), Cycles(1884));  // a row of cast.csv
  EXPECT_EQ(list.cycles(models::gc200()), models::cast2dCycles(models::gc200(), {types, {5, 9}}));
}

TEST(Cast, HasATableForAListOnly) {
  const VertexType one = castVertex({ElementType::Half, ElementType::Float, Runs::one(10)});
  const VertexType list = castVertex({ElementType::Half, ElementType::Float, Runs::list({5, 9})});
  EXPECT_EQ(one.sizes.state + one.sizes.field_data, Bytes(12));
  EXPECT_EQ(list.sizes.state + list.sizes.field_data, Bytes(12 + 2 * 12));
}

}  // namespace
}  // namespace ipusim::workloads
