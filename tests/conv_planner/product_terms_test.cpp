// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/conv_planner/products.h"
#include "workloads/ops/conv/planner/estimate.h"

// The terms of products, counted by hand. The exchange takes 4 B per cycle.

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

/// Field 24, 32 in channels, 64 out channels.
ConvCandidate wholeGroups() {
  return floatAmp({1, 24, 32, 64}, 8);
}

ConvPoint partsOf(std::uint32_t field, std::uint32_t out_chans, std::uint32_t in_chans) {
  ConvPoint point;
  point.partition.field[1] = field;
  point.partition.out_chans = out_chans;
  point.partition.in_chans = in_chans;
  return point;
}

ConvPoint outChanLoop(std::uint32_t steps) {
  ConvPoint loop;
  loop.partition.out_chans_serial = steps;
  return loop;
}

ConvPoint inChanLoop(std::uint32_t steps) {
  ConvPoint loop;
  loop.partition.in_chans_serial = steps;
  return loop;
}

ConvTerms termsAt(const ConvPoint& point, const ConvCandidate& candidate = wholeGroups()) {
  return convTerms(toyMachine(), candidate, point);
}

Bytes tempAt(const ConvPoint& point, const ConvCandidate& candidate = wholeGroups()) {
  return termsAt(point, candidate).temp();
}

TEST(ShareOf, RoundsGrainsOfAProductUp) {
  const ConvShare share = shareOf(floatAmp({5, 25, 33, 65}, 8), partsOf(2, 2, 2).partition);
  EXPECT_EQ(share.fieldPositions(), 13U);
  EXPECT_EQ(share.in_groups, 3U);   // 5 groups of 8
  EXPECT_EQ(share.out_groups, 5U);  // 9 groups of 8
  EXPECT_EQ(share.inputs, 13U * 24U * 5U);
  EXPECT_EQ(share.weights, 24U * 40U * 5U);
  EXPECT_EQ(share.partials, 13U * 40U * 5U);
  EXPECT_EQ(share.outputs, 1300U);
}

TEST(ProductTerms, ReceiveInputsFromTheOtherOutChanParts) {
  EXPECT_EQ(termsAt(partsOf(1, 1, 1)).input_exchange, 0_cycles);
  EXPECT_EQ(termsAt(partsOf(1, 4, 1)).input_exchange, Cycles(24 * 32 * 3 / 4 / 2));  // a shared bus
  EXPECT_EQ(termsAt(partsOf(1, 3, 1)).input_exchange, Cycles(24 * 32 * 2 / 3));      // none shared
}

TEST(ProductTerms, ReceiveWeightsFromTheOtherFieldParts) {
  EXPECT_EQ(termsAt(partsOf(1, 1, 1)).weight_exchange, 0_cycles);
  EXPECT_EQ(termsAt(partsOf(4, 1, 1)).weight_exchange, Cycles(32 * 64 * 3 / 4));
}

TEST(ProductTerms, ChargeThePartialsExchangeEvenWhereNothingIsAddedUp) {
  const ConvTerms terms = termsAt(partsOf(1, 1, 1));
  EXPECT_EQ(terms.reduce_first_exchange, 24_cycles * 64);
  EXPECT_EQ(terms.reduce, 0_cycles);
  EXPECT_EQ(terms.reduce_rest_exchange, 0_cycles);
}

TEST(ProductTerms, ReduceInStagesFromSixteenParts) {
  const ConvTerms terms = termsAt(partsOf(1, 1, 16), floatAmp({1, 24, 128, 64}, 8));
  EXPECT_EQ(terms.reduce_first_exchange, 24_cycles * 64);
  EXPECT_EQ(terms.reduce_rest_exchange, 24_cycles * 16);  // 16 to 4 to 1
}

TEST(ProductTerms, LoopOverOutChansSlicesWeightsAndPlacesResults) {
  const ConvTerms terms = termsAt(outChanLoop(2));
  // 32 * 64 weights in two steps: 1024, 171 per worker, 85 pairs.
  EXPECT_EQ(terms.dynamic_slice, Cycles(25 + 6 * (39 + 24 + 2 * 85)));
  // 24 * 32 results of a step, halved again: 384, 64 per worker.
  EXPECT_EQ(terms.dynamic_update, Cycles(25 + 6 * (39 + 24 + 2 * 32)));
  EXPECT_EQ(terms.add_in_place, 0_cycles);
}

TEST(ProductTerms, SliceThePaddingToo) {
  // 61 out channels lie in 8 groups of 8, like 64.
  const ConvPoint loop = outChanLoop(3);
  EXPECT_EQ(termsAt(loop, floatAmp({1, 24, 32, 61}, 8)).dynamic_slice, termsAt(loop).dynamic_slice);
}

TEST(ProductTerms, LoopOverInChansSlicesBothAndAddsUp) {
  const ConvTerms terms = termsAt(inChanLoop(2));
  // 24 * 32 inputs and 32 * 64 weights in two steps: 384 and 1024.
  EXPECT_EQ(terms.dynamic_slice, Cycles(2 * (25 + 6 * (39 + 24)) + 6 * 2 * (32 + 85)));
  EXPECT_EQ(terms.dynamic_update, 0_cycles);
  EXPECT_EQ(terms.add_in_place, Cycles(6 * (58 + 3 * 128) + 11));  // 24 * 64, 256 per worker
}

TEST(ProductTerms, LoopOverInChansCastsOnceAfterIt) {
  ConvCandidate candidate = wholeGroups();
  candidate.input = candidate.output = ElementType::Half;
  EXPECT_GT(termsAt({}, candidate).reduce, 0_cycles);
  EXPECT_EQ(termsAt({}, candidate).output_cast, 0_cycles);
  const ConvTerms terms = termsAt(inChanLoop(2), candidate);
  EXPECT_EQ(terms.reduce, 0_cycles);
  EXPECT_EQ(terms.output_cast, 6 * Cycles(26 + 128));  // 24 * 64, 256 per worker
}

TEST(ProductTerms, LoopOverInChansCastsNothingToItsOwnType) {
  EXPECT_EQ(termsAt(inChanLoop(2)).output_cast, 0_cycles);
}

TEST(ProductTerms, LayersRearrangeWeightsBeforeTheySliceThem) {
  ConvCandidate candidate = wholeGroups();
  candidate.pass = ConvPass::FcInferenceFwd;
  EXPECT_EQ(termsAt({}, candidate).rearrange_before_slice, 0_cycles);
  // 32 * 64 floats: a cycle each through the exchange, and one to be moved.
  const ConvPoint loop = outChanLoop(2);
  EXPECT_EQ(termsAt(loop, candidate).rearrange_before_slice, 4096_cycles);
  EXPECT_EQ(tempAt(loop, candidate), tempAt(loop) + 8_KiB);
  EXPECT_EQ(termsAt(loop).rearrange_before_slice, 0_cycles);  // a product by itself
  candidate.joint = true;
  EXPECT_EQ(termsAt(loop, candidate).rearrange_before_slice, 0_cycles);
}

TEST(ProductTerms, SendInputsOnceWhereTheyAreBroadcastBeforeTheLoop) {
  ConvPoint loop = partsOf(1, 2, 1);
  loop.partition.out_chans_serial = 2;
  const Cycles each = termsAt(loop).input_exchange;
  loop.broadcast = ConvBroadcast::BeforeLoop;
  EXPECT_EQ(termsAt(loop).input_exchange, 0_cycles);
  EXPECT_EQ(termsAt(loop).broadcast_exchange, each);
  EXPECT_EQ(termsAt(loop).broadcast_copy, 0_cycles);
}

TEST(ProductTerms, TotalTakesTheStepsAndWhatComesOnce) {
  ConvTerms terms;
  terms.partial_calc = 100_cycles;
  terms.dynamic_slice = 10_cycles;
  terms.broadcast_copy = 4_cycles;
  terms.broadcast_exchange = 3_cycles;
  terms.output_cast = 3_cycles;
  terms.rearrange_before_slice = 2_cycles;
  EXPECT_EQ(terms.total(4), Cycles(4 * 110 + 12));
}

TEST(ProductTempBytes, HoldOperandsAndPartialsWhileMultiplying) {
  EXPECT_EQ(tempAt(partsOf(1, 1, 1)), 4_B * (24 * 32 + 32 * 64 + 24 * 64));
}

TEST(ProductTempBytes, HoldSourceAndResultWhileRearranging) {
  ConvCandidate candidate = floatAmp({1, 2000, 8, 8}, 8);
  candidate.swapped = true;
  EXPECT_EQ(tempAt(partsOf(1000, 1, 1), candidate), 4_B * (2 * 8 + 8 * 8 + 2 * 8));
  EXPECT_EQ(tempAt(partsOf(1, 1, 1), candidate), 4_B * (2 * 2000 * 8 + 64));
}

TEST(ProductTempBytes, HoldAllPartialsOfAResultInAStagedReduction) {
  const ConvCandidate thin = floatAmp({1, 1, 512, 8}, 8);
  // 8 partials per tile and one result of each of 64: what a tile multiplies is less than 8 * 64
  // floats.
  EXPECT_EQ(tempAt(partsOf(1, 1, 64), thin), 4_B * (8 + 64 + 8));
  const ConvCandidate thinner = onProduct({1, 1, 512, 1}, ElementType::Float,
                                          {ConvMethod::Hmac, 1, 0, 1, 8, 1, ElementType::Float});
  EXPECT_EQ(tempAt(partsOf(1, 1, 64), thinner), 4_B * 64);
}

TEST(ProductTempBytes, KeepASumThroughALoopOverInChans) {
  EXPECT_EQ(tempAt(inChanLoop(2)), 4_B * 24 * 64 + 4_B * (24 * 16 + 16 * 64 + 24 * 64));
}

TEST(ProductTempBytes, KeepBroadcastInputsThroughTheLoop) {
  ConvPoint loop = outChanLoop(2);
  loop.broadcast = ConvBroadcast::BeforeLoop;
  EXPECT_EQ(tempAt(loop), 4_B * (24 * 32 + (32 * 32 + 24 * 32)));
}

TEST(ProductTempBytes, KeepWhatBroadcastInputsWereRearrangedInto) {
  // 31 in channels are brought into 4 groups of 8.
  ConvPoint loop = outChanLoop(2);
  loop.broadcast = ConvBroadcast::BeforeLoop;
  EXPECT_EQ(tempAt(loop, floatAmp({1, 24, 31, 64}, 8)),
            4_B * 24 * 32 + 4_B * 24 * 32 + 4_B * 2 * 32 * 64);
}

TEST(ProductTempBytes, HoldInputsThatAreHeldThroughTheLoopOnlyThere) {
  // More inputs than weights: 240 x 32 beside 32 x 64.
  const ConvCandidate padded = floatAmp({1, 240, 31, 64}, 8);
  ConvPoint loop = outChanLoop(2);
  EXPECT_EQ(termsAt(loop, padded).transform_bytes, 4_B * 2 * 240 * 32);
  loop.broadcast = ConvBroadcast::BeforeLoop;
  EXPECT_EQ(termsAt(loop, padded).transform_bytes, 4_B * 2 * 32 * 64);
  EXPECT_EQ(termsAt(loop, padded).broadcast_bytes, 4_B * 2 * 240 * 32);
}

}  // namespace
}  // namespace ipusim::workloads
