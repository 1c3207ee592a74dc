// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

using models::BinaryOp;
using models::OpPlacement;

models::BinaryOpKind plus(ElementType type) {
  return {BinaryOp::Add, type, OpPlacement::InPlace};
}

TEST(BroadcastVector, AddsTheVectorToEveryRow) {
  const VertexType type =
      broadcastVectorVertex({plus(ElementType::Half), VectorAxis::Inner, 2, 3, RowGaps::None});
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5, 6}, {10, 20, 30}}, 0),
            (Numbers{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(type.name, "popops::BroadcastVectorInner1DInPlace<ADD,half>");
  EXPECT_EQ(type.work.flops, Flops(6));
}

TEST(BroadcastVector, AddsAnElementToEachRow) {
  const VertexType type =
      broadcastVectorVertex({plus(ElementType::Float), VectorAxis::Outer, 2, 3, RowGaps::Some});
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5, 6}, {10, 20}}, 0), (Numbers{11, 12, 13, 24, 25, 26}));
  EXPECT_EQ(type.fields[0].edges(), 2U);
}

TEST(BroadcastVector, MultipliesIntoAnotherPlace) {
  const models::BinaryOpKind times{BinaryOp::Multiply, ElementType::Float};
  const VertexType type = broadcastVectorVertex({times, VectorAxis::Inner, 2, 3, RowGaps::None});
  EXPECT_EQ(computed(type, {{1, 2, 3, 4, 5, 6}, {10, 20, 30}, {0, 0, 0, 0, 0, 0}}, 2),
            (Numbers{10, 40, 90, 40, 100, 180}));
  EXPECT_EQ(type.name, "popops::BroadcastVectorInner1D<MULTIPLY,float>");
}

TEST(BroadcastVector, CostsThePublishedEstimate) {
  // 12 repeats are 2 blocks per worker: 17 + 2 + 5 slots, and 8 + 2 x 2 for each of 4 elements.
  const VertexType inner =
      broadcastVectorVertex({plus(ElementType::Float), VectorAxis::Inner, 12, 4, RowGaps::None});
  EXPECT_EQ(inner.cycles(models::gc200()), Cycles(25 + 6 * (24 + 4 * 12)));
  // Two rows per worker of 8 floats: 7 + floor(2 x 9 / 2) slots each.
  const VertexType outer =
      broadcastVectorVertex({plus(ElementType::Float), VectorAxis::Outer, 12, 8, RowGaps::None});
  EXPECT_EQ(outer.cycles(models::gc200()), Cycles(11 + 6 * (15 + 2 * 16)));
}

TEST(BroadcastVector, SharesOutColumnsWhereThatTakesLess) {
  // One row of 96 floats: 16 columns per worker, 7 + floor(2 x 17 / 2) slots.
  const VertexType outer =
      broadcastVectorVertex({plus(ElementType::Float), VectorAxis::Outer, 1, 96, RowGaps::None});
  EXPECT_EQ(outer.cycles(models::gc200()), Cycles(11 + 6 * (15 + 24)));
}

}  // namespace
}  // namespace ipusim::workloads
