// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/toy_machine.h"
#include "workloads/ops/conv/planner/estimate.h"
#include "workloads/ops/conv/planner/rearrange.h"
#include "workloads/ops/conv/planner/vertices/vertex_shapes.h"
#include "workloads/ops/conv/planner/vertices/vertices.h"
#include "workloads/ops/conv/planner/vertices/windows.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::gc200Sdk;

constexpr ConvVertex kAmp{ConvMethod::Amp, 16, 0, 1, 16, 16, ElementType::Half};
constexpr ConvVertex kNarrowAmp{ConvMethod::Amp, 16, 0, 1, 4, 16, ElementType::Half};
constexpr ConvVertex kSlic{ConvMethod::Slic, 0, 4, 1, 4, 4, ElementType::Half};

/// A half convolution with 3x3 kernels, without padding: 12 x 10 outputs.
ConvProblem threeByThree() {
  ConvDim rows;
  rows.field = 14;
  rows.kernel = 3;
  ConvDim columns;
  columns.field = 12;
  columns.kernel = 3;
  ConvProblem problem;
  problem.params.in_chans = 32;
  problem.params.out_chans = 64;
  problem.params.dims = {rows, columns};
  return problem;
}

ConvCandidate candidateFor(const ConvProblem& problem, const ConvVertex& vertex) {
  return candidateOf(gc200Sdk(), problem, transformedConv(problem.params, {}), vertex);
}

/// 3 x 2 parts of the field, 2 of the in channels, 4 of the out channels.
ConvPoint someSplit() {
  ConvPoint point;
  point.partition.field = {3, 2, 1};
  point.partition.in_chans = 2;
  point.partition.out_chans = 4;
  return point;
}

TEST(InputExtent, HasAHalo) {
  CandidateDim dim;
  dim.outputs = 12;
  dim.kernel = 3;
  dim.used_inputs = 14;
  EXPECT_EQ(inputExtent(dim, 4, 3), 6U);
  EXPECT_EQ(inputExtent(dim, 12, 3), 14U);
  EXPECT_EQ(inputExtent(dim, 4, 1), 4U);
  dim.stride = 2;
  dim.kernel_dilation = 3;
  EXPECT_EQ(inputExtent(dim, 4, 2), 3 * 2 + 3 + 1U);
  dim.input_dilation = 4;
  EXPECT_EQ(inputExtent(dim, 4, 2), 3U);
}

TEST(InputExtent, IsThatOfOutputsInAMovedDimension) {
  CandidateDim dim;
  dim.outputs = 12;
  dim.kernel = 1;
  dim.used_inputs = 20;
  dim.stride = 2;
  dim.moved = true;
  EXPECT_EQ(inputExtent(dim, 5, 1), 5U);
}

TEST(ShareOf, CountsElementsOfTheFullestTile) {
  const ConvShare share = shareOf(candidateFor(threeByThree(), kAmp), someSplit().partition);
  EXPECT_EQ(share.fieldPositions(), 4 * 5U);
  EXPECT_EQ(share.kernelPositions(), 9U);
  EXPECT_EQ(share.in_groups, 1U);
  EXPECT_EQ(share.out_groups, 1U);
  EXPECT_EQ(share.inputs, 6 * 7 * 16U);
  EXPECT_EQ(share.weights, 9 * 16 * 16U);
  EXPECT_EQ(share.partials, 20 * 16U);
  EXPECT_EQ(share.outputs, 20 * 16U / 2);
}

TEST(ConvTerms, CountExchangesByHand) {
  const ConvTerms terms = convTerms(gc200Sdk(), candidateFor(threeByThree(), kAmp), someSplit());
  // An even number of parts of the out channels shares its buses: 8 bytes a cycle.
  EXPECT_EQ(terms.input_exchange, Cycles(672 * 3 / 4 * 2 / 8));
  EXPECT_EQ(terms.weight_exchange, Cycles(2304 * 5 / 6 * 2 / 4));
  EXPECT_EQ(terms.reduce_first_exchange, Cycles(320 * 2 / 4));
  EXPECT_EQ(terms.multiplying_bytes, Bytes(672 + 2304 + 320) * 2);
  EXPECT_EQ(terms.tile_level_transform, 0_cycles);
}

TEST(ConvTerms, CountTheVertexByHand) {
  // 20 positions in rows of 5 make these pieces of 6 workers: 3; 2 1; 4; 3; 2 1; 4. A piece of 1,
  // 2, 3 or 4 takes 23, 28, 28 or 32 slots, and a worker 18 more: 46 to 69 of them.
  constexpr std::uint64_t kWorkers = 6 * 69UL;
  constexpr std::uint64_t kLoad = 64 + 15 + 3;
  constexpr std::uint64_t kInner = 3 * (14 + 3 * (12 + kLoad)) + 9 * kWorkers;
  constexpr std::uint64_t kZero = (27 + 5) * 6UL;  // 320 partials
  constexpr std::uint64_t kVertex = 109 + 54 + 6 * 10 + 17 + 1 + 1;
  const ConvTerms terms = convTerms(gc200Sdk(), candidateFor(threeByThree(), kAmp), someSplit());
  EXPECT_EQ(terms.partial_calc, Cycles(kZero + kVertex + 16 + 14 + 14 + kInner));
}

TEST(ConvTerms, AddUpStepsAndWhatComesOnce) {
  ConvTerms terms;
  terms.partial_calc = 100_cycles;
  terms.inputs.copy = 10_cycles;
  terms.dynamic_update = 1_cycles;
  terms.output_cast = 1000_cycles;
  terms.broadcast_exchange = 2000_cycles;
  EXPECT_EQ(terms.total(4), Cycles(4 * 111 + 3000));
}

TEST(ConvTerms, HoldTheLargestOfThree) {
  ConvTerms terms;
  terms.multiplying_bytes = 50_B;
  terms.tile_level_bytes = 5_B;
  terms.transform_bytes = 40_B;
  terms.reducing_bytes = 54_B;
  terms.broadcast_bytes = 7_B;
  EXPECT_EQ(terms.temp(), 62_B);
  terms.reducing_bytes = 60_B;
  EXPECT_EQ(terms.temp(), 67_B);
}

TEST(WindowZeros, FillTheRowsThatAmpTakesAtOnce) {
  const ConvCandidate candidate = candidateFor(threeByThree(), kNarrowAmp);
  const ConvShare share = shareOf(candidate, someSplit().partition);
  EXPECT_EQ(share.in_groups, 4U);
  const WindowZeros zeros = windowZeros(gc200Sdk(), candidate, someSplit(), share);
  EXPECT_EQ(zeros.weights, 1 * 3 * 16 * 16U);  // a fourth row of the kernel
  EXPECT_EQ(zeros.inputs, 1 * 5 * 16U);
}

TEST(WindowZeros, FillTheWindowOfSlic) {
  const ConvCandidate candidate = candidateFor(threeByThree(), kSlic);
  ConvPoint point = someSplit();
  point.partition.in_chans = 8;
  point.partition.out_chans = 16;
  const ConvShare share = shareOf(candidate, point.partition);
  const WindowZeros zeros = windowZeros(gc200Sdk(), candidate, point, share);
  EXPECT_EQ(zeros.weights, 3 * 1 * 4 * 4U);  // a fourth column of the kernel
  EXPECT_EQ(zeros.inputs, 4 * 1 * 4U);
  EXPECT_EQ(scratchBytes(candidate, share), Bytes(20 * 4 * 2 + 200));
}

TEST(RowShare, GivesWorkersWholeRowsAndParts) {
  EXPECT_EQ(models::rowShare(gc200Sdk(), 12).whole, 2U);
  EXPECT_EQ(models::rowShare(gc200Sdk(), 12).parts, 0U);
  const models::RowShare ragged = models::rowShare(gc200Sdk(), 8);  // 4/3 of a row each
  EXPECT_EQ(ragged.whole, 1U);
  EXPECT_EQ(ragged.parts, 1U);
  EXPECT_EQ(ragged.split, 3U);
}

TEST(IsOneRow, NeedsWholeRowsOfOneBatch) {
  const ConvCandidate candidate = candidateFor(threeByThree(), kAmp);
  ConvPartition rows;
  rows.field = {12, 1, 1};
  EXPECT_TRUE(isOneRow(candidate, shareOf(candidate, rows)));
  EXPECT_FALSE(isOneRow(candidate, shareOf(candidate, {})));
  ConvCandidate batched = candidate;
  batched.batch = 2;
  EXPECT_FALSE(isOneRow(batched, shareOf(batched, rows)));
}

/// What is rearranged of inputs, weights and output, for 32 to 64 channels with 16 in a group.
std::vector<bool> movedIn(ConvPass pass, bool swap) {
  ConvProblem problem = threeByThree();
  problem.pass = pass;
  problem.params.batch = 16;
  ConvTransforms transforms;
  transforms.swap = swap;
  const TransformedConv conv = transformedConv(problem.params, transforms);
  const auto moved = rearrangementOf(gc200Sdk(), candidateOf(gc200Sdk(), problem, conv, kAmp), 100);
  return {moved.inputs.bytes > 0_B, moved.weights.bytes > 0_B, moved.output.bytes > 0_B};
}

TEST(RearrangementOf, DependsOnThePassAndTheOrderOfOperands) {
  using testing::ElementsAre;
  EXPECT_THAT(movedIn(ConvPass::TrainingFwd, false), ElementsAre(false, false, false));
  EXPECT_THAT(movedIn(ConvPass::TrainingBwd, false), ElementsAre(false, false, false));
  EXPECT_THAT(movedIn(ConvPass::TrainingFwd, true), ElementsAre(true, true, true));
  EXPECT_THAT(movedIn(ConvPass::TrainingWu, false), ElementsAre(true, true, true));
  EXPECT_THAT(movedIn(ConvPass::TrainingWu, true), ElementsAre(true, true, false));
}

TEST(RearrangementOf, RegroupsChannelsWithACopyAlone) {
  ConvVertex eight = kAmp;
  eight.conv_units = 8;
  eight.partial_chans_per_group = 8;
  ConvProblem problem = threeByThree();
  problem.pass = ConvPass::TrainingFwd;
  const auto moved = rearrangementOf(gc200Sdk(), candidateFor(problem, eight), 100);
  // 9 x 32 x 64 weights and 120 x 64 outputs on 100 tiles
  EXPECT_EQ(moved.weights.bytes, Bytes(185) * 2);
  EXPECT_EQ(moved.weights.exchange, 0_cycles);
  EXPECT_EQ(moved.weights.copy, Cycles((370 * 5 + 31) / 32));
  EXPECT_EQ(moved.output.bytes, Bytes(77) * 2);
  EXPECT_EQ(moved.inputs.bytes, 0_B);
}

std::size_t countOf(const std::vector<ConvVertex>& vertices, ConvMethod method) {
  return static_cast<std::size_t>(
      std::count_if(vertices.begin(), vertices.end(),
                    [&](const ConvVertex& vertex) { return vertex.method == method; }));
}

TEST(VerticesOf, ListsAllThatCanComputeAConvolution) {
  const ConvProblem problem = threeByThree();
  const auto vertices = verticesOf(gc200Sdk(), problem, problem.params);
  EXPECT_EQ(countOf(vertices, ConvMethod::Hmac), 7U);  // 16 pairs of channels in 16, 8, 6, 4, 3, 2
  EXPECT_EQ(countOf(vertices, ConvMethod::Vmac), 3U);
  EXPECT_EQ(countOf(vertices, ConvMethod::Amp), 3 * 2U);  // 16, 8 or 4 in chans; 16 or 8 engines
  EXPECT_EQ(countOf(vertices, ConvMethod::Slic), 2 * 5U);
  EXPECT_EQ(countOf(vertices, ConvMethod::OuterProduct), 1U);
}

TEST(VerticesOf, FloatsHaveNeitherSlicNorVmac) {
  ConvProblem problem = threeByThree();
  problem.params.input = ElementType::Float;
  problem.params.output = ElementType::Float;
  problem.partials = ElementType::Float;
  const auto vertices = verticesOf(gc200Sdk(), problem, problem.params);
  EXPECT_EQ(countOf(vertices, ConvMethod::Slic) + countOf(vertices, ConvMethod::Vmac), 0U);
  EXPECT_EQ(countOf(vertices, ConvMethod::Amp), 3 * 2U);  // 8, 4 or 2 in channels
}

TEST(VerticesOf, AWindowTakesNoDilatedKernel) {
  ConvProblem problem = threeByThree();
  problem.params.dims[0].weights.dilation = 2;
  EXPECT_EQ(countOf(verticesOf(gc200Sdk(), problem, problem.params), ConvMethod::Slic), 0U);
}

TEST(CandidatesOf, BeginWithTheFastestWithoutPadding) {
  const ConvProblem problem = threeByThree();
  const auto candidates = candidatesOf(gc200Sdk(), problem, transformedConv(problem.params, {}));
  EXPECT_EQ(candidates.front().vertex.method, ConvMethod::Amp);
  EXPECT_EQ(candidates.front().vertex.conv_units, 16U);
  EXPECT_EQ(candidates.front().multiply_rate, 64U);
}

}  // namespace
}  // namespace ipusim::workloads
