// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/broadcast_rows.h"

#include <gtest/gtest.h>

#include "models/ipu/cost/broadcast.h"
#include "sim/base/error.h"
#include "tests/codelets/plain_data.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::BinaryOp;
using models::ElementType;
using models::OpPlacement;

BroadcastRowsShape shape(BinaryOp op, OpPlacement placement, std::uint64_t rows) {
  return {{op, ElementType::Float, placement}, rows, 3};
}

TEST(BroadcastRows, HaveAValueForEachRow) {
  const Numbers data{1, 2, 3, 4, 5, 6};
  const auto result = [&](BinaryOp op, OpPlacement placement) {
    const std::size_t out = placement == OpPlacement::InPlace ? 0 : 2;
    return computed(BroadcastRows(shape(op, placement, 2)), {data, {10, 20}}, out);
  };
  EXPECT_EQ(result(BinaryOp::Add, OpPlacement::OutOfPlace), (Numbers{11, 12, 13, 24, 25, 26}));
  EXPECT_EQ(result(BinaryOp::Subtract, OpPlacement::InPlace), (Numbers{-9, -8, -7, -16, -15, -14}));
  EXPECT_EQ(result(BinaryOp::Multiply, OpPlacement::InPlace), (Numbers{10, 20, 30, 80, 100, 120}));
}

TEST(BroadcastRows, CostThePublishedEstimateOfTheirForm) {
  const BroadcastRows one(shape(BinaryOp::Multiply, OpPlacement::InPlace, 1));
  // 11 + 6 (20 + 2).
  EXPECT_EQ(one.cycles(models::gc200()), Cycles(143));
  EXPECT_EQ(one.name(), "popops::BroadcastScalar1DInPlace<MULTIPLY,float>");
  EXPECT_EQ(one.stateBytes(), Bytes(12));
  const BroadcastRows several(shape(BinaryOp::Subtract, OpPlacement::OutOfPlace, 12));
  // By row, two each: 11 + 6 (15 + 2 (25 + floor(2 (3 + 1) / 2))).
  EXPECT_EQ(several.cycles(models::gc200()), Cycles(11 + 6 * (15 + 2 * 29)));
  EXPECT_EQ(several.name(), "popops::BroadcastVectorOuter1D<SUBTRACT,float>");
  EXPECT_EQ(several.stateBytes(), Bytes(16));
  EXPECT_EQ(several.flops(), Flops(36));
}

TEST(BroadcastRows, RefuseWhatTheyDoNotCover) {
  EXPECT_THROW(BroadcastRows(shape(BinaryOp::Divide, OpPlacement::InPlace, 2)), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
