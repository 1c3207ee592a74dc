// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {
namespace {

TEST(OuterProduct, MultipliesEveryPositionWithEveryWeight) {
  const VertexType type = outerProductVertex({ElementType::Float, 2, 4, 2});
  EXPECT_EQ(computed(type, {{10, 100}, {1, 2, 3, 4}}, 2),
            (Numbers{10, 20, 100, 200, 30, 40, 300, 400}));
}

TEST(OuterProduct, RoundsAProductToHalf) {
  const VertexType type = outerProductVertex({ElementType::Half, 1, 1, 1});
  // 2047 * 3 = 6141 lies between the halves 6140 and 6144 apart by 4.
  EXPECT_EQ(computed(type, {{2047}, {3}}, 2), (Numbers{6140}));
}

TEST(OuterProduct, HasAnEdgeAGroup) {
  const VertexType type = outerProductVertex({ElementType::Half, 5, 12, 4});
  EXPECT_EQ(type.fields[1].edges(), 3);
  EXPECT_EQ(type.fields[2].edges(), 3);
  EXPECT_EQ(type.fields[2].elements(), 3 * 5 * 4);
  EXPECT_EQ(type.sizes.state, Bytes(24));
  EXPECT_EQ(type.sizes.field_data, Bytes(3 * 8));
  EXPECT_EQ(type.work.flops, Flops(5 * 12));
}

TEST(OuterProduct, CostsTheEstimateOfOneWorker) {
  const VertexType type = outerProductVertex({ElementType::Float, 5, 12, 4});
  // 25 + 3 (11 + 5 (10 + 2 * 4)): groups of 4 are too short for the fast path.
  EXPECT_EQ(type.cycles(models::gc200()), Cycles(25 + 3 * (11 + 5 * 18)));
  EXPECT_EQ(type.kind, VertexKind::Worker);
}

}  // namespace
}  // namespace ipusim::workloads
