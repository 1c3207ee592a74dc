// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_training.h"

#include <gtest/gtest.h>

#include "tests/planner/float_amp.h"
#include "tests/planner/problems.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

void expectSizes(const MatmulProblem& problem, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  EXPECT_EQ(problem.m, m);
  EXPECT_EQ(problem.k, k);
  EXPECT_EQ(problem.n, n);
}

TEST(TrainingPasses, AreTheThreeProductsOfALayer) {
  for (const MatmulProblem& pass :
       {productIn(MatmulPass::TrainingFwd, 2, 3, 5), productIn(MatmulPass::TrainingBwd, 2, 5, 3),
        productIn(MatmulPass::TrainingWu, 3, 2, 5)}) {
    const auto [forward, backward, update] = trainingPasses(pass);
    expectSizes(forward, 2, 3, 5);
    expectSizes(backward, 2, 5, 3);
    expectSizes(update, 3, 2, 5);
    EXPECT_EQ(backward.pass, MatmulPass::TrainingBwd);
    EXPECT_EQ(update.pass, MatmulPass::TrainingWu);
  }
}

TEST(JointCandidate, SwapsFieldAndInChansBackwards) {
  const PlanCandidate backward =
      jointCandidateOf(toyMachine(), floatAmp({1, 10, 20, 30}, 8), MatmulPass::TrainingBwd);
  EXPECT_EQ(backward.conv.field, 20U);
  EXPECT_EQ(backward.conv.in_chans, 10U);
  EXPECT_EQ(backward.conv.out_chans, 30U);
}

TEST(JointCandidate, SwapsChannelsAndTheirGroupsInTheUpdate) {
  PlanCandidate forward = floatAmp({1, 10, 20, 30}, 8);
  forward.method.in_chans_per_group = 4;
  const PlanCandidate update = jointCandidateOf(toyMachine(), forward, MatmulPass::TrainingWu);
  EXPECT_EQ(update.conv.field, 10U);
  EXPECT_EQ(update.conv.in_chans, 30U);
  EXPECT_EQ(update.conv.out_chans, 20U);
  EXPECT_EQ(update.method.in_chans_per_group, 8U);
  EXPECT_EQ(update.method.partial_chans_per_group, 4U);
}

TEST(JointCandidate, TakesTheVertexForTheChannelsOfTheUpdate) {
  PlanCandidate forward = floatAmp({1, 10, 20, 30}, 4);
  const PlanCandidate update = jointCandidateOf(toyMachine(), forward, MatmulPass::TrainingWu);
  EXPECT_EQ(update.method.kind, MatmulMethod::AmpNx1);
  EXPECT_EQ(jointCandidateOf(toyMachine(), update, MatmulPass::TrainingWu).method.kind,
            MatmulMethod::Amp);
}

TEST(JointPoint, KeepsTheWeightsOnTheirTiles) {
  PlanPoint forward;
  forward.partition.field = 2;
  forward.partition.in_chans = 3;
  forward.partition.out_chans_serial = 5;
  forward.broadcast = InputBroadcast::BeforeLoop;
  const PlanPoint backward = jointPointOf(forward, MatmulPass::TrainingBwd);
  EXPECT_EQ(backward.partition.field, 3U);
  EXPECT_EQ(backward.partition.in_chans, 2U);
  const PlanPoint update = jointPointOf(forward, MatmulPass::TrainingWu);
  EXPECT_EQ(update.partition.out_chans, 3U);
  EXPECT_EQ(update.partition.in_chans, 1U);
  EXPECT_EQ(update.partition.in_chans_serial, 5U);
  EXPECT_EQ(update.broadcast, InputBroadcast::EachStep);  // no loop over out channels is left
}

}  // namespace
}  // namespace ipusim::workloads
