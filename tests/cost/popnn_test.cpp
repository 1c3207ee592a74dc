// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/ipu/cost/nonlinearity.h"
#include "models/ipu/cost/select.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

TEST(NonLinearityGradCycles, TakeThreeSlotsAVectorAfterTheFirst) {
  // 27 halves: a vector a worker, a rest of three.
  EXPECT_EQ(nonLinearityGradCycles(toyMachine(), {ElementType::Half, 27}),
            Cycles(9 + 6 * (20 + 5 + 6 + 5 + 7)));
  EXPECT_EQ(nonLinearityGradCycles(toyMachine(), {ElementType::Float, 24}),
            Cycles(9 + 6 * (20 + 5 + 3 + 4)));
}

TEST(NonLinearityGradCycles, OfRunsAddUp) {
  // 3 vectors and a rest; nothing.
  EXPECT_EQ(nonLinearityGrad2dCycles(toyMachine(), ElementType::Float, {7, 0}),
            Cycles(17 + (8 + 11 + 8) + (8 + 4)));
}

TEST(LossCycles, TakeTwoHalvesAtATime) {
  EXPECT_EQ(lossCycles({Loss::CrossEntropy, ElementType::Half, 11}), Cycles(23 + 45 + 11));
  EXPECT_EQ(lossCycles({Loss::SumSquared, ElementType::Float, 11}), Cycles(19 + 44));
}

TEST(MaxClassCycles, LookAtEveryElement) {
  EXPECT_EQ(maxClassGatherCycles(toyMachine(), 100, 17), Cycles(9 + 6 * (30 + 48)));
  EXPECT_EQ(maxClassSparseCycles(4), Cycles(36));
}

TEST(SelectCycles, GoElementByElementAndAClampByVectors) {
  EXPECT_EQ(selectCycles({2, 3}), Cycles(5 + 16 + 21));
  EXPECT_EQ(clampCycles(toyMachine(), ElementType::Half, {5}), Cycles(5 + 6 + 4));
}

}  // namespace
}  // namespace ipusim::models
