// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

using models::OpPlacement;

TEST(ScaleByScalar, MultipliesEveryElement) {
  const VertexType type =
      scaleByScalarVertex({ElementType::Half, OpPlacement::OutOfPlace, Runs::one(3)});
  EXPECT_EQ(computed(type, {{1, -2, 2047}, {3}}, 2), (Numbers{3, -6, 6140}));
  EXPECT_EQ(type.name, "popops::BroadcastScalar1D<MULTIPLY,half>");
  EXPECT_EQ(type.sizes.state, Bytes(16));
}

TEST(ScaleByScalar, LeavesTheResultInItsDataInPlace) {
  const VertexType type =
      scaleByScalarVertex({ElementType::Float, OpPlacement::InPlace, Runs::list({1, 2})});
  EXPECT_EQ(computed(type, {{1, 2, 3}, {10}}, 0), (Numbers{10, 20, 30}));
  EXPECT_EQ(type.name, "popops::BroadcastScalar2DDataInPlace<MULTIPLY,float>");
}

TEST(ScaleByScalar, CostsThePublishedEstimate) {
  const VertexType one =
      scaleByScalarVertex({ElementType::Float, OpPlacement::OutOfPlace, Runs::one(16)});
  EXPECT_EQ(one.cycles(models::gc200()), Cycles(155));  // a row of broadcast_scalar.csv
  const VertexType list =
      scaleByScalarVertex({ElementType::Float, OpPlacement::InPlace, Runs::list({126, 27})});
  EXPECT_EQ(list.cycles(models::gc200()), Cycles(230));  // another
}

constexpr models::ScaledAddKind kAdd{models::ScaledOp::Add, ElementType::Float, ElementType::Float};

TEST(ScaledAdd, AddsAMultiple) {
  const VertexType type = scaledAddVertex({kAdd, 3, Runs::one(2)});
  EXPECT_EQ(computed(type, {{1, 2}, {10, 20}}, 0), (Numbers{31, 62}));
  EXPECT_EQ(type.work.flops, Flops(4));
}

TEST(ScaledAdd, TakesAMultipleAwayAsASubtraction) {
  models::ScaledAddKind kind{models::ScaledOp::Subtract, ElementType::Half, ElementType::Float};
  EXPECT_EQ(computed(scaledAddVertex({kind, 0.5F, Runs::one(2)}), {{1, 2}, {10, 20}}, 0),
            (Numbers{-4, -8}));
}

TEST(ScaledAdd, CostsThePublishedEstimate) {
  // A row of scaled_add.csv.
  EXPECT_EQ(scaledAddVertex({kAdd, 1, Runs::one(1288)}).cycles(models::gc200()), Cycles(2115));
}

TEST(ScaledAdd, WantsItsOperandsApartWhereItSaysSo) {
  models::ScaledAddKind apart = kAdd;
  apart.memory = models::OperandMemory::Apart;
  EXPECT_EQ(scaledAddVertex({apart, 1, Runs::one(8)}).fields[0].apart_from, 1);
  EXPECT_EQ(scaledAddVertex({kAdd, 1, Runs::one(8)}).fields[0].apart_from, -1);
}

}  // namespace
}  // namespace ipusim::workloads
