// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/rearrange.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

ConvRearrangement movedOn(std::uint32_t tiles, const ConvCandidate& candidate) {
  return rearrangementOf(toyMachine(), candidate, tiles);
}

/// The bytes of all operands and of the result.
Bytes bytesOf(const ConvRearrangement& moved) {
  return moved.inputs.bytes + moved.weights.bytes + moved.output.bytes;
}

/// With the right operand as the weights.
ConvCandidate asGiven(const FactorSizes& sizes) {
  ConvCandidate candidate = floatAmp(sizes, 8);
  candidate.swapped = true;
  return candidate;
}

TEST(ProductRearrangement, IsNothingForWholeGroupsInOrder) {
  EXPECT_EQ(bytesOf(movedOn(4, floatAmp({1, 20, 16, 32}, 8))), 0_B);
}

TEST(ProductRearrangement, RegroupsTheResultWhereGroupsAreNotTheEnginesOwn) {
  const ConvRearrangement moved = movedOn(3, floatAmp({1, 20, 16, 32}, 16));
  EXPECT_EQ(moved.output.bytes, 4_B * 214);  // 640 results on 3 tiles
  EXPECT_EQ(moved.output.exchange, 0_cycles);
  EXPECT_EQ(moved.inputs.bytes + moved.weights.bytes, 0_B);
}

TEST(ProductRearrangement, IsEverythingForOperandsAsGiven) {
  const ConvRearrangement moved = movedOn(4, asGiven({1, 20, 16, 32}));
  EXPECT_EQ(moved.inputs.bytes, Bytes(20 * 16 * 4 / 4));
  EXPECT_EQ(moved.weights.bytes, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(moved.output.bytes, Bytes(20 * 32 * 4 / 4));
  EXPECT_EQ(moved.output.exchange, Cycles(20 * 32 / 4));  // not only regrouped
}

TEST(ProductRearrangement, CountsOperandsAsElementsOfTheResult) {
  ConvCandidate candidate = asGiven({1, 20, 16, 32});
  candidate.input = ElementType::Half;
  EXPECT_EQ(movedOn(4, candidate).inputs.bytes, Bytes(20 * 16 * 4 / 4));
}

TEST(ProductRearrangement, IsPaddedToGroups) {
  const ConvRearrangement ragged_in = movedOn(4, floatAmp({1, 20, 15, 32}, 8));
  EXPECT_EQ(ragged_in.inputs.bytes, Bytes(20 * 16 * 4 / 4));
  EXPECT_EQ(ragged_in.weights.bytes, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(ragged_in.output.bytes, 0_B);
  const ConvRearrangement ragged_out = movedOn(4, floatAmp({1, 20, 16, 31}, 8));
  EXPECT_EQ(ragged_out.inputs.bytes, 0_B);
  EXPECT_EQ(ragged_out.weights.bytes, Bytes(16 * 32 * 4 / 4));
  EXPECT_EQ(ragged_out.output.bytes, Bytes(20 * 32 * 4 / 4));
}

TEST(ProductRearrangement, FollowsThePassOfATrainingStep) {
  ConvCandidate candidate = floatAmp({1, 20, 16, 32}, 8);
  candidate.pass = ConvPass::FcTrainingWu;
  EXPECT_GT(movedOn(4, candidate).inputs.bytes, 0_B);
  EXPECT_GT(movedOn(4, candidate).output.bytes, 0_B);
  candidate.joint = true;
  EXPECT_GT(movedOn(4, candidate).inputs.bytes, 0_B);
  EXPECT_EQ(movedOn(4, candidate).output.bytes, 0_B);
  candidate.pass = ConvPass::FcTrainingBwd;
  EXPECT_EQ(bytesOf(movedOn(4, candidate)), 0_B);
  candidate.joint = false;
  EXPECT_GT(movedOn(4, candidate).inputs.bytes, 0_B);
}

TEST(ProductRearrangement, CopiesElementByElement) {
  const ConvRearrangeTerms inputs = movedOn(8, asGiven({1, 20, 16, 32})).inputs;
  EXPECT_EQ(inputs.bytes, 160_B);
  // 4 B per cycle, a quarter more, whole vectors; then 4 B per cycle through the exchange.
  EXPECT_EQ(inputs.copy, 50_cycles);
  EXPECT_EQ(inputs.exchange, 40_cycles);
}

TEST(ProductRearrangement, TakesLongerForRaggedVectors) {
  // 15 * 39 is odd. 16 * 40 weights on 16 tiles.
  const ConvRearrangeTerms weights = movedOn(16, floatAmp({1, 20, 15, 39}, 8)).weights;
  EXPECT_EQ(weights.bytes, 160_B);
  EXPECT_EQ(weights.copy, Cycles(67));  // 160 * 5 / 12
}

TEST(ProductRearrangement, MovesWholeGroupsAtTheCopyRate) {
  const ConvRearrangeTerms output = movedOn(16, floatAmp({1, 20, 16, 32}, 16)).output;
  EXPECT_EQ(output.bytes, 160_B);
  EXPECT_EQ(output.copy, 25_cycles);  // 8 B per cycle
  EXPECT_EQ(output.exchange, 0_cycles);
}

}  // namespace
}  // namespace ipusim::workloads
