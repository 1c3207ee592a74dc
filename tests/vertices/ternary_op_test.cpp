// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/elementwise/select.h"
#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

TEST(Select, TakesTheFirstOperandWhereTheConditionIsTrue) {
  const VertexType type =
      ternaryOpVertex({TernaryOp::Select, ElementType::Float, Runs::list({2, 3})});
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5}, {-1, -2, -3, -4, -5}, {0, 1, 1, 0, 7}}, 3),
            (Numbers{-1, 2, 3, -4, 5}));
  EXPECT_EQ(type.name, "popops::Select<float>");
}

TEST(Select, MovesIntegersAsTheyAre) {
  const VertexType type =
      ternaryOpVertex({TernaryOp::Select, ElementType::UInt32, Runs::list({2})});
  EXPECT_EQ(computed(type, {{4294967295.0, 2}, {3, 4}, {1, 0}}, 3), (Numbers{4294967295.0, 4}));
}

TEST(Clamp, StopsAtBothBounds) {
  const VertexType type = ternaryOpVertex({TernaryOp::Clamp, ElementType::Half, Runs::list({5})});
  EXPECT_EQ(computed(type, {{-3, -1, 0.25, 2, 9}, {-1}, {2}}, 3), (Numbers{-1, -1, 0.25, 2, 2}));
  EXPECT_EQ(type.name, "popops::BroadcastClamp<half>");
}

TEST(TernaryOp, CostsThePublishedEstimate) {
  const auto cycles = [](TernaryOp op) {
    return ternaryOpVertex({op, ElementType::Half, Runs::list({5, 9})}).cycles(models::gc200());
  };
  EXPECT_EQ(cycles(TernaryOp::Select), Cycles(5 + 6 + 5 * 5 + 6 + 5 * 9));
  EXPECT_EQ(cycles(TernaryOp::Clamp), Cycles(5 + 6 + 2 * 8 / 4 + 6 + 2 * 12 / 4));
}

}  // namespace
}  // namespace ipusim::workloads
