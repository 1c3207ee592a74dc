// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {
namespace {

using models::OpPlacement;
using models::UnaryOpKind;
using Op = models::UnaryOp;
using testing::FloatEq;

double apply(Op op, double value) {
  const VertexType type = unaryOpVertex({{op, ElementType::Float}, Runs::one(1)});
  return computed(type, {{value}}, 1).front();
}

TEST(UnaryOp, ComputesWhatItsNameSays) {
  EXPECT_EQ(apply(Op::Absolute, -2), 2);
  EXPECT_EQ(apply(Op::Ceil, 1.25), 2);
  EXPECT_EQ(apply(Op::Inverse, 4), 0.25);
  EXPECT_EQ(apply(Op::Negate, 3), -3);
  EXPECT_EQ(apply(Op::Relu, -3), 0);
  EXPECT_EQ(apply(Op::Relu, 3), 3);
  EXPECT_EQ(apply(Op::Rsqrt, 16), 0.25);
  EXPECT_EQ(apply(Op::Sigmoid, 0), 0.5);
  EXPECT_EQ(apply(Op::Signum, -7), -1);
  EXPECT_EQ(apply(Op::Sqrt, 9), 3);
  EXPECT_EQ(apply(Op::Square, -3), 9);
}

TEST(UnaryOp, ComputesTranscendentalFunctions) {
  const auto is = [](double value) { return FloatEq(static_cast<float>(value)); };
  EXPECT_THAT(static_cast<float>(apply(Op::Exponent, 1)), is(2.718281828));
  EXPECT_THAT(static_cast<float>(apply(Op::ExponentMinusOne, 1)), is(1.718281828));
  EXPECT_THAT(static_cast<float>(apply(Op::Logarithm, 10)), is(2.302585093));
  EXPECT_THAT(static_cast<float>(apply(Op::LogarithmOnePlus, 9)), is(2.302585093));
  EXPECT_THAT(static_cast<float>(apply(Op::Tanh, 1)), is(0.761594156));
  EXPECT_THAT(static_cast<float>(apply(Op::Erf, 1)), is(0.842700793));
  EXPECT_THAT(static_cast<float>(apply(Op::GeluErf, 1)), is(0.841344746));  // 1 * Phi(1)
}

TEST(UnaryOp, LeavesTheResultInItsOperandInPlace) {
  const VertexType type =
      unaryOpVertex({{Op::Square, ElementType::Half, OpPlacement::InPlace}, Runs::list({2, 1})});
  EXPECT_EQ(computed(type, {{2, 3, 64}}, 0), (Numbers{4, 9, 4096}));
  EXPECT_EQ(type.fields[0].direction, FieldDirection::InOut);
  EXPECT_EQ(type.sizes.state + type.sizes.field_data, Bytes(8 + 2 * 8));
  EXPECT_EQ(type.name, "popops::UnaryOp2DInPlace<SQUARE,half>");
}

TEST(UnaryOp, CostsThePublishedEstimate) {
  const UnaryOpKind tanh{Op::Tanh, ElementType::Half};
  // 20 + 6 (17 + 4 ceil(17 / 4)) for 100 halves; 20 + 4 * 2 + 4 for runs of 5 and 3.
  EXPECT_EQ(unaryOpVertex({tanh, Runs::one(100)}).cycles(models::gc200()),
            Cycles(20 + 6 * (17 + 20)));
  EXPECT_EQ(unaryOpVertex({tanh, Runs::list({5, 3})}).cycles(models::gc200()), Cycles(20 + 8 + 4));
  EXPECT_EQ(unaryOpVertex({tanh, Runs::one(100)}).sizes.state, Bytes(12));
}

}  // namespace
}  // namespace ipusim::workloads
