// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/unary_op.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

TEST(UnaryOpCycles, SpreadsOverTheWorkers) {
  // 200 per worker: 100 vectors of floats, 50 of halves
  EXPECT_EQ(unaryOpCycles(toyMachine(), {{UnaryOp::Relu, ElementType::Float}, 1200}),
            Cycles(20 + 6 * (17 + 300)));
  EXPECT_EQ(unaryOpCycles(toyMachine(), {{UnaryOp::Relu, ElementType::Half}, 1200}),
            Cycles(20 + 6 * (17 + 150)));
}

TEST(UnaryOpCycles, StartsLaterInPlaceButLoopsFaster) {
  const UnaryOpKind in_place{UnaryOp::Relu, ElementType::Float, OpPlacement::InPlace};
  EXPECT_EQ(unaryOpCycles(toyMachine(), {in_place, 1200}), Cycles(20 + 6 * (55 + 200)));
}

TEST(UnaryOpCycles, HasALongerStartForExponents) {
  EXPECT_EQ(unaryOpCycles(toyMachine(), {{UnaryOp::Exponent, ElementType::Float}, 12}),
            Cycles(20 + 6 * (33 + 6)));
}

TEST(UnaryOpCycles, ChargesTemplatesForAShareOfTheLastVector) {
  // 3 per worker: 9 (3 + 4 - 1) / 4 = 13.5
  EXPECT_EQ(unaryOpCycles(toyMachine(), {{UnaryOp::Signum, ElementType::Half}, 18}),
            Cycles(20 + 6 * (17 + 13)));
}

TEST(UnaryOpCycles, OfBoolsGoByEightInPlace) {
  UnaryOpKind not_of{UnaryOp::LogicalNot, ElementType::Bool};
  EXPECT_EQ(unaryOp2dCycles(toyMachine(), {not_of, {10}}), Cycles(20 + 210));
  not_of.placement = OpPlacement::InPlace;
  // 21 (10 + 8 - 1) / 8 = 44.6
  EXPECT_EQ(unaryOp2dCycles(toyMachine(), {not_of, {10}}), Cycles(20 + 44));
}

TEST(UnaryOpCycles, KnowsOnlyPublishedPairs) {
  EXPECT_THROW(unaryOpCycles(toyMachine(), {{UnaryOp::Tanh, ElementType::Int32}, 12}),
               InternalError);
}

TEST(UnaryOp2dCycles, AddsItsRegionsUp) {
  EXPECT_EQ(unaryOp2dCycles(toyMachine(), {{UnaryOp::Sqrt, ElementType::Float}, {10, 11}}),
            Cycles(20 + 50 + 60));
}

}  // namespace
}  // namespace ipusim::models
