// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_rearrange.h"

#include <gtest/gtest.h>

#include "tests/planner/float_amp.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

TEST(Rearranged, IsNothingForSwappedWholeGroups) {
  const PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  EXPECT_EQ(rearranged(toyMachine(), candidate, 4).held(), 0_B);
}

TEST(Rearranged, IsTheResultRegroupedWhereGroupsAreNotTheEnginesOwn) {
  const Rearranged moved = rearranged(toyMachine(), floatAmp({1, 20, 16, 32}, 16), 3);
  EXPECT_EQ(moved.regrouped, 4_B * 214);  // 640 results on 3 tiles
  EXPECT_EQ(moved.inputs + moved.weights + moved.output, 0_B);
}

TEST(Rearranged, IsEverythingForOperandsAsGiven) {
  PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  candidate.order = OperandOrder::AsGiven;
  const Rearranged moved = rearranged(toyMachine(), candidate, 4);
  EXPECT_EQ(moved.inputs, Bytes(20 * 16 * 4 / 4));
  EXPECT_EQ(moved.weights, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(moved.output, Bytes(20 * 32 * 4 / 4));
  EXPECT_EQ(moved.regrouped, 0_B);
}

TEST(Rearranged, CountsOperandsAsElementsOfTheResult) {
  PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  candidate.order = OperandOrder::AsGiven;
  candidate.input = ElementType::Half;
  EXPECT_EQ(rearranged(toyMachine(), candidate, 4).inputs, Bytes(20 * 16 * 4 / 4));
}

TEST(Rearranged, IsPaddedToGroups) {
  const Rearranged ragged_in = rearranged(toyMachine(), floatAmp({1, 20, 15, 32}, 8), 4);
  EXPECT_EQ(ragged_in.inputs, Bytes(20 * 16 * 4 / 4));
  EXPECT_EQ(ragged_in.weights, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(ragged_in.output, 0_B);
  const Rearranged ragged_out = rearranged(toyMachine(), floatAmp({1, 20, 16, 31}, 8), 4);
  EXPECT_EQ(ragged_out.inputs, 0_B);
  EXPECT_EQ(ragged_out.weights, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(ragged_out.output, Bytes(20 * 32 * 4 / 4));
}

TEST(Rearranged, FollowsThePassOfATrainingStep) {
  PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  candidate.pass = MatmulPass::TrainingWu;
  EXPECT_GT(rearranged(toyMachine(), candidate, 4).inputs, 0_B);
  EXPECT_GT(rearranged(toyMachine(), candidate, 4).output, 0_B);
  candidate.training = TrainingPlan::Joint;
  EXPECT_GT(rearranged(toyMachine(), candidate, 4).inputs, 0_B);
  EXPECT_EQ(rearranged(toyMachine(), candidate, 4).output, 0_B);
  candidate.pass = MatmulPass::TrainingBwd;
  EXPECT_EQ(rearranged(toyMachine(), candidate, 4).held(), 0_B);
}

TEST(RearrangeCycles, CopyElementByElement) {
  const PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  Rearranged moved{};
  moved.inputs = 160_B;
  // 4 B per cycle, a quarter more, whole vectors; then 4 B per cycle through the exchange.
  EXPECT_EQ(inputRearrangeCycles(toyMachine(), candidate, moved).copy, 50_cycles);
  EXPECT_EQ(inputRearrangeCycles(toyMachine(), candidate, moved).exchange, 40_cycles);
}

TEST(RearrangeCycles, TakeLongerForRaggedVectors) {
  const PlanCandidate odd = floatAmp({1, 20, 15, 31}, 8);  // 15 * 31 is odd
  Rearranged moved{};
  moved.weights = 160_B;
  EXPECT_EQ(otherRearrangeCycles(toyMachine(), odd, moved).copy, Cycles(67));  // 160 * 5 / 12
}

TEST(RearrangeCycles, MoveWholeGroupsAtTheCopyRate) {
  const PlanCandidate candidate = floatAmp({1, 20, 16, 32}, 16);
  Rearranged moved{};
  moved.regrouped = 160_B;
  EXPECT_EQ(otherRearrangeCycles(toyMachine(), candidate, moved).copy, 25_cycles);  // 8 B per cycle
  EXPECT_EQ(otherRearrangeCycles(toyMachine(), candidate, moved).exchange, 0_cycles);
}

}  // namespace
}  // namespace ipusim::workloads
