// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/training.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/estimate.h"

namespace ipusim::workloads {
namespace {

using models::toyMachine;

void expectSizes(const ConvProblem& problem, std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  EXPECT_EQ(problem.params.out_chans, m);
  EXPECT_EQ(problem.params.in_chans, k);
  EXPECT_EQ(problem.params.dims.back().field, n);
}

TEST(TrainingPasses, AreTheThreeProductsOfALayer) {
  for (const MatmulProblem& pass :
       {productIn(ConvPass::FcTrainingFwd, 2, 3, 5), productIn(ConvPass::FcTrainingBwd, 2, 5, 3),
        productIn(ConvPass::FcTrainingWu, 3, 2, 5)}) {
    const auto [forward, backward, update] = trainingPasses(convOf(pass));
    expectSizes(forward, 2, 3, 5);
    expectSizes(backward, 2, 5, 3);
    expectSizes(update, 3, 2, 5);
    EXPECT_EQ(forward.pass, ConvPass::FcTrainingFwd);
    EXPECT_EQ(backward.pass, ConvPass::FcTrainingBwd);
    EXPECT_EQ(update.pass, ConvPass::FcTrainingWu);
  }
}

TEST(TrainingPasses, AreThoseOfFullyConnectedLayersThatTrain) {
  EXPECT_TRUE(isFcTraining(ConvPass::FcTrainingFwd));
  EXPECT_TRUE(isFcTraining(ConvPass::FcTrainingBwd));
  EXPECT_TRUE(isFcTraining(ConvPass::FcTrainingWu));
  EXPECT_FALSE(isFcTraining(ConvPass::FcInferenceFwd));
  EXPECT_FALSE(isFcTraining(ConvPass::NoneMatmul));
  EXPECT_FALSE(isFcTraining(ConvPass::TrainingFwd));
}

TEST(JointCandidate, SwapsFieldAndInChansBackwards) {
  const ConvCandidate backward =
      jointCandidateOf(floatAmp({1, 10, 20, 30}, 8), ConvPass::FcTrainingBwd);
  EXPECT_EQ(backward.innermost().outputs, 20U);
  EXPECT_EQ(backward.in_chans, 10U);
  EXPECT_EQ(backward.out_chans, 30U);
}

TEST(JointCandidate, SwapsChannelsAndTheirGroupsInTheUpdate) {
  ConvCandidate forward = floatAmp({1, 10, 20, 30}, 8);
  forward.vertex.in_chans_per_group = 4;
  const ConvCandidate update = jointCandidateOf(forward, ConvPass::FcTrainingWu);
  EXPECT_EQ(update.innermost().outputs, 10U);
  EXPECT_EQ(update.in_chans, 30U);
  EXPECT_EQ(update.out_chans, 20U);
  EXPECT_EQ(update.vertex.in_chans_per_group, 8U);
  EXPECT_EQ(update.vertex.partial_chans_per_group, 4U);
}

TEST(JointCandidate, TakesTheVertexForTheChannelsOfTheUpdate) {
  // Four in channels are half a load, and an engine takes two rows of a kernel at once.
  const ConvCandidate forward = floatAmp({1, 10, 20, 30}, 4);
  const ConvCandidate update = jointCandidateOf(forward, ConvPass::FcTrainingWu);
  EXPECT_EQ(ampKernelHeight(toyMachine(), update), 2U);
  EXPECT_EQ(ampKernelHeight(toyMachine(), jointCandidateOf(update, ConvPass::FcTrainingWu)), 1U);
}

TEST(JointCandidate, PadsAFieldToTheGrainsOfItsChannels) {
  const ConvCandidate forward = jointCandidates({floatAmp({1, 10, 20, 30}, 8)}).front();
  EXPECT_EQ(forward.innermost().grain, 8U);
  EXPECT_EQ(forward.innermost().used_inputs, 16U);
  const ConvCandidate backward = jointCandidateOf(forward, ConvPass::FcTrainingBwd);
  EXPECT_EQ(backward.innermost().used_inputs, 24U);
  EXPECT_EQ(backward.innermost().outputGrains(), 3U);
}

TEST(JointPoint, KeepsTheWeightsOnTheirTiles) {
  ConvPoint forward;
  forward.partition.field[1] = 2;
  forward.partition.in_chans = 3;
  forward.partition.out_chans_serial = 5;
  forward.broadcast = ConvBroadcast::BeforeLoop;
  const ConvPoint backward = jointPointOf(forward, ConvPass::FcTrainingBwd);
  EXPECT_EQ(backward.partition.field[1], 3U);
  EXPECT_EQ(backward.partition.in_chans, 2U);
  const ConvPoint update = jointPointOf(forward, ConvPass::FcTrainingWu);
  EXPECT_EQ(update.partition.out_chans, 3U);
  EXPECT_EQ(update.partition.in_chans, 1U);
  EXPECT_EQ(update.partition.in_chans_serial, 5U);
  EXPECT_EQ(update.broadcast, ConvBroadcast::EachStep);  // no loop over out channels is left
}

TEST(GradientPasses, AddUpCyclesAndNeedTheMostBytes) {
  const ConvCandidate forward = jointCandidates({floatAmp({1, 16, 24, 40}, 8)}).front();
  ConvPoint point;
  point.partition.in_chans = 3;
  const ConvTerms own = convTerms(toyMachine(), forward, point);
  PlanCost cost{own.total(1), own.temp()};
  addGradientPasses(toyMachine(), forward, point, cost);
  Cycles cycles = own.total(1);
  Bytes temp = own.temp();
  for (const ConvPass pass : {ConvPass::FcTrainingBwd, ConvPass::FcTrainingWu}) {
    const ConvTerms terms =
        convTerms(toyMachine(), jointCandidateOf(forward, pass), jointPointOf(point, pass));
    cycles += terms.total(1);
    temp = std::max(temp, terms.temp());
  }
  EXPECT_EQ(cost.cycles, cycles);
  EXPECT_EQ(cost.temp, temp);
}

}  // namespace
}  // namespace ipusim::workloads
