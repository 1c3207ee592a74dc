// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "models/ipu/cost/elementwise/select.h"
#include "models/ipu/cost/reductions/pooling.h"
#include "models/ipu/cost/uncalled/arg_reduce.h"
#include "models/ipu/cost/uncalled/loss.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr NonLinearityKind kReluHalf{NonLinearity::Relu, ElementType::Half};
constexpr NonLinearityKind kReluFloat{NonLinearity::Relu, ElementType::Float};

TEST(NonLinearityGradCycles, TakeThreeSlotsAVectorAfterTheFirst) {
  // 27 halves: a vector a worker, a rest of three.
  EXPECT_EQ(nonLinearityGradCycles(toyMachine(), {kReluHalf, 27}),
            Cycles(9 + 6 * (20 + 5 + 6 + 5 + 7)));
  EXPECT_EQ(nonLinearityGradCycles(toyMachine(), {kReluFloat, 24}),
            Cycles(9 + 6 * (20 + 5 + 3 + 4)));
}

TEST(NonLinearityGradCycles, OfRunsAddUp) {
  // 3 vectors and a rest; nothing.
  EXPECT_EQ(nonLinearityGrad2dCycles(toyMachine(), {kReluFloat, {7, 0}}),
            Cycles(17 + (8 + 11 + 8) + (8 + 4)));
}

TEST(NonLinearityCycles, OfSwishAreOddInPlace) {
  NonLinearityKind swish{NonLinearity::Swish, ElementType::Float};
  // Two vectors per worker and a rest: 3 + 2 * 6 + 11, then 3 + 8.
  EXPECT_EQ(nonLinearityCycles(toyMachine(), {swish, 25}), Cycles(9 + 6 * (20 + 26 + 11)));
  EXPECT_EQ(nonLinearity2dCycles(toyMachine(), {swish, {5}}), Cycles(14 + 10 + 26 + 10));
  swish.placement = OpPlacement::InPlace;
  EXPECT_EQ(nonLinearityCycles(toyMachine(), {swish, 25}), Cycles(9 + 6 * (21 + 26 + 11)));
  EXPECT_EQ(nonLinearity2dCycles(toyMachine(), {swish, {5}}), Cycles(6 + 10 + 26 + 10));
}

TEST(NonLinearityCycles, OfExactGeluHaveNoVertexOfTheirOwn) {
  EXPECT_THROW(nonLinearityCycles(toyMachine(), {{NonLinearity::GeluErf, ElementType::Half}, 8}),
               InternalError);
}

TEST(LossCycles, TakeTwoHalvesAtATime) {
  EXPECT_EQ(lossCycles({Loss::CrossEntropy, ElementType::Half, 11}), Cycles(23 + 45 + 11));
  EXPECT_EQ(lossCycles({Loss::SumSquared, ElementType::Float, 11}), Cycles(19 + 44));
}

TEST(MaxClassCycles, LookAtEveryElement) {
  EXPECT_EQ(classGatherCycles(toyMachine(), ElementType::Half, 100, 17), Cycles(9 + 6 * (30 + 48)));
  EXPECT_EQ(classSparseCycles(ElementType::Half, 4), Cycles(36));
}

TEST(SelectCycles, GoElementByElementAndAClampByVectors) {
  EXPECT_EQ(selectCycles({2, 3}), Cycles(5 + 16 + 21));
  EXPECT_EQ(clampCycles(toyMachine(), ElementType::Half, {5}), Cycles(5 + 6 + 4));
}

// One worker has one row of one item of a single output; five have none, and their part is shorter.
// Each clears ceil(3 * 2 / 6) = 1 vector, and one more, since 6 are more than 3 outputs.
TEST(PoolingCost, CountsTheBusiestWorker) {
  const PoolingShape shape{PoolingVertex::Max, 3, 2, 1, {{{0}}, {}, {}, {}, {}, {}}};
  const std::uint64_t clears = 4 + 1 + 1;
  const std::uint64_t item = 23 + (2 + 2 * 7);
  EXPECT_EQ(poolingCycles(toyMachine(), shape),
            Cycles(13 + 6 * (23 + clears + 9 + 1 + 10 + 15 + item)));
}

}  // namespace
}  // namespace ipusim::models
