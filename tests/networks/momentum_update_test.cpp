// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "tests/execute/toy_run.h"
#include "workloads/networks/training/optimiser_lowering.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

const Values kParameter{1, 2, 3, 4, 5, 6};
const Values kVelocity{8, 8, 8, 8, 8, 8};
const Values kGradient{0, 4, 8, 12, 16, 20};
const Optimiser kRule{OptimiserRule::Momentum, 0.25, 0.5};
// v = 8 / 2 + g; w -= v / 4.
const Values kNewVelocity{4, 8, 12, 16, 20, 24};
const Values kNewParameter{0, 0, 0, 0, 0, 0};

class MomentumUpdate : public testing::Test {
 protected:
  void step(const Tensor& parameter, const Tensor& gradient) {
    const Shape shape = parameter.shape();
    const std::unique_ptr<NodeLowering> update = lowerUpdate(kRule, {run_.graph,
                                                                     models::toyMachine(),
                                                                     "update",
                                                                     {{shape}, {shape}, {shape}},
                                                                     shape,
                                                                     Lifetime::Always,
                                                                     true,
                                                                     {false, false, false}});
    velocity_ = *update->place(2, {parameter, gradient, std::nullopt});
    EXPECT_TRUE(lieAlike(run_.graph, parameter, velocity_));
    run_.give(parameter, kParameter);
    run_.give(velocity_, kVelocity);
    run_.give(gradient, kGradient);
    update->lower({parameter, gradient, velocity_}, run_.graph.program());
  }
  ToyRun run_;
  Tensor velocity_;
};

TEST_F(MomentumUpdate, IsThreeStepsWhereTheParameterLies) {
  const Tensor parameter = run_.spread({2, 3}, 1);
  step(parameter, run_.spread({2, 3}, 1));
  EXPECT_EQ(run_.graph.computeSets().size(), 3U);
  EXPECT_EQ(executor::stepsOf(run_.compile(), StepKind::Exchange), 0U);
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(MomentumUpdate, BringsAGradientFromElsewhere) {
  const Tensor parameter = run_.spread({2, 3}, 1);
  step(parameter, run_.on(2, {2, 3}));
  EXPECT_EQ(run_.graph.copies().size(), 1U);
  EXPECT_EQ(run_.graph.computeSets().size(), 3U);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(MomentumUpdate, OrdersAGradientLikeItsParameter) {
  const Tensor parameter = run_.spread({3, 2}, 1).dimShuffle({1, 0});
  step(parameter, run_.spread({2, 3}, 2));
  EXPECT_EQ(run_.graph.copies().size(), 1U);
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

TEST_F(MomentumUpdate, LeavesPaddingOutOfTheParameter) {
  const Tensor parameter = run_.spread({2, 4}, 3).slice(0, 3, 1);
  step(parameter, run_.spread({2, 3}, 1));
  EXPECT_EQ(run_.result(velocity_), kNewVelocity);
  EXPECT_EQ(run_.result(parameter), kNewParameter);
}

}  // namespace
}  // namespace ipusim::workloads
