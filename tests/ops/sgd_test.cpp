// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/training/sgd.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using checker::ToyRun;
using checker::Values;

const Values kParameter{1, 2, 3, 4, 5, 6};
const Values kVelocity{8, 8, 8, 8, 8, 8};
const Values kGradient{0, 4, 8, 12, 16, 20};
// v = 8 / 2 + g; w -= v / 4.
const Values kNewVelocity{4, 8, 12, 16, 20, 24};
const Values kNewParameter{0, 0, 0, 0, 0, 0};

class SgdTest : public testing::Test {
 protected:
  void step(const Tensor& parameter, const Tensor& gradient) {
    velocity_ = addVelocity(run_.graph, parameter, "v");
    run_.give(parameter, kParameter);
    run_.give(velocity_, kVelocity);
    run_.give(gradient, kGradient);
    addSgdStep(run_.graph, models::toyMachine(), {parameter, velocity_, gradient, {0.25, 0.5}},
               "sgd", run_.graph.program());
  }
  ToyRun run_;
  Tensor velocity_;
};

TEST_F(SgdTest, IsThreeStepsWhereTheParameterLies) {
  const Tensor parameter = run_.spread({2, 3}, 1);
  step(parameter, run_.spread({2, 3}, 1));
  EXPECT_EQ(run_.graph.computeSets().size(), 3U);
  EXPECT_EQ(checker::stepsOf(run_.compile(), StepKind::Exchange), 0U);
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(SgdTest, BringsAGradientFromElsewhere) {
  const Tensor parameter = run_.spread({2, 3}, 1);
  step(parameter, run_.on(2, {2, 3}));
  EXPECT_EQ(run_.graph.copies().size(), 1U);
  EXPECT_EQ(run_.graph.computeSets().size(), 3U);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(SgdTest, OrdersAGradientLikeItsParameter) {
  const Tensor parameter = run_.spread({3, 2}, 1).dimShuffle({1, 0});
  step(parameter, run_.spread({2, 3}, 2));
  EXPECT_EQ(run_.graph.copies().size(), 1U);
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(SgdTest, LeavesPaddingOutOfTheParameter) {
  const Tensor parameter = run_.spread({2, 4}, 3).slice(0, 3, 1);
  step(parameter, run_.spread({2, 3}, 1));
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(SgdTest, WantsAVelocityThatLiesLikeTheParameter) {
  const Tensor parameter = run_.spread({6}, 1);
  EXPECT_THROW(
      addSgdStep(run_.graph, models::toyMachine(), {parameter, run_.on(0, {6}), parameter, {1, 1}},
                 "sgd", run_.graph.program()),
      InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
