// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/unsigned_division.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr BinaryOpKind kDivision{BinaryOp::Divide, ElementType::UInt32};

TEST(UnsignedDivision, TakesFewerSlotsThanTheEstimateForEachElementOfAWorker) {
  // Seven elements are two for the busiest of six workers, and 265 slots are estimated for each.
  EXPECT_EQ(measuredBinaryOpCycles(gc200(), {kDivision, 7}) + Cycles(6 * 2 * (265 - 61)),
            binaryOpCycles(gc200(), {kDivision, 7}));
  EXPECT_EQ(measuredBinaryOp2dCycles(gc200(), {kDivision, {3, 4}}) + Cycles(7 * (265 - 61)),
            binaryOp2dCycles(gc200(), {kDivision, {3, 4}}));
}

TEST(UnsignedDivision, OtherOperatorsTakeTheirEstimate) {
  for (const BinaryOpKind& kind : {BinaryOpKind{BinaryOp::Divide, ElementType::Float},
                                   BinaryOpKind{BinaryOp::Multiply, ElementType::UInt32}}) {
    EXPECT_EQ(measuredBinaryOpCycles(gc200(), {kind, 7}), binaryOpCycles(gc200(), {kind, 7}));
    EXPECT_EQ(measuredBinaryOp2dCycles(gc200(), {kind, {3, 4}}),
              binaryOp2dCycles(gc200(), {kind, {3, 4}}));
  }
}

}  // namespace
}  // namespace ipusim::models
