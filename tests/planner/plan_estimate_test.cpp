// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/plan_estimate.h"

#include <gtest/gtest.h>

#include "models/ipu/cost/amp.h"
#include "models/ipu/cost/binary_op.h"
#include "tests/planner/float_amp.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using namespace ipusim::literals;
using models::toyMachine;

/// Field 24, 32 in channels, 64 out channels; 4 B per cycle through the exchange.
const PlanCandidate kCandidate = floatAmp({1, 24, 32, 64}, 8);

PlanPoint point(std::uint32_t field, std::uint32_t out_chans, std::uint32_t in_chans) {
  PlanPoint point;
  point.partition.field = field;
  point.partition.out_chans = out_chans;
  point.partition.in_chans = in_chans;
  return point;
}

PlanTerms termsOf(const PlanPoint& point, const PlanCandidate& candidate = kCandidate) {
  return planTerms(toyMachine(), candidate, point,
                   models::reductionDepths(point.partition.in_chans));
}

TEST(TileShare, RoundsGrainsUp) {
  const TileShare share = tileShare(floatAmp({5, 25, 33, 65}, 8), point(2, 2, 2).partition);
  EXPECT_EQ(share.field, 13U);
  EXPECT_EQ(share.in_groups, 3U);   // 5 groups of 8
  EXPECT_EQ(share.out_groups, 5U);  // 9 groups of 8
  EXPECT_EQ(share.inputs, 13U * 24U * 5U);
  EXPECT_EQ(share.weights, 24U * 40U * 5U);
  EXPECT_EQ(share.partials, 13U * 40U * 5U);
  EXPECT_EQ(share.outputs, 1300U);
}

TEST(PlanTerms, ReceiveInputsFromTheOtherOutChanParts) {
  EXPECT_EQ(termsOf(point(1, 1, 1)).input_exchange, 0_cycles);
  EXPECT_EQ(termsOf(point(1, 4, 1)).input_exchange, Cycles(24 * 32 * 3 / 4 / 2));  // a shared bus
  EXPECT_EQ(termsOf(point(1, 3, 1)).input_exchange, Cycles(24 * 32 * 2 / 3));      // none shared
}

TEST(PlanTerms, ReceiveWeightsFromTheOtherFieldParts) {
  EXPECT_EQ(termsOf(point(1, 1, 1)).weight_exchange, 0_cycles);
  EXPECT_EQ(termsOf(point(4, 1, 1)).weight_exchange, Cycles(32 * 64 * 3 / 4));
}

TEST(PlanTerms, ChargeThePartialsExchangeEvenWhereNothingIsAddedUp) {
  EXPECT_EQ(termsOf(point(1, 1, 1)).reduce_first_exchange, 24_cycles * 64);
  EXPECT_EQ(termsOf(point(1, 1, 1)).reduce, 0_cycles);
  EXPECT_EQ(termsOf(point(1, 1, 1)).reduce_rest_exchange, 0_cycles);
}

TEST(PlanTerms, ReduceInStagesFromSixteenParts) {
  const PlanCandidate deep = floatAmp({1, 24, 128, 64}, 8);
  const PlanTerms terms = termsOf(point(1, 1, 16), deep);  // 16 to 4 to 1
  EXPECT_EQ(terms.reduce_first_exchange, 24_cycles * 64);
  EXPECT_EQ(terms.reduce_rest_exchange, 24_cycles * 16);
}

TEST(PlanTerms, LoopOverOutChansSlicesWeightsAndPlacesResults) {
  PlanPoint loop = point(1, 1, 1);
  loop.partition.out_chans_serial = 2;
  const PlanTerms terms = termsOf(loop);
  // 32 * 64 weights in two steps: 1024, 171 per worker, 85 pairs.
  EXPECT_EQ(terms.dynamic_slice, Cycles(25 + 6 * (39 + 24 + 2 * 85)));
  // 24 * 32 results of a step, halved again: 384, 64 per worker.
  EXPECT_EQ(terms.dynamic_update, Cycles(25 + 6 * (39 + 24 + 2 * 32)));
  EXPECT_EQ(terms.add_in_place, 0_cycles);
}

TEST(PlanTerms, SliceThePaddingToo) {
  // 61 out channels lie in 8 groups of 8, like 64.
  PlanPoint loop = point(1, 1, 1);
  loop.partition.out_chans_serial = 3;
  EXPECT_EQ(termsOf(loop, floatAmp({1, 24, 32, 61}, 8)).dynamic_slice, termsOf(loop).dynamic_slice);
}

TEST(PlanTerms, LoopOverInChansSlicesBothAndAddsUp) {
  PlanPoint loop = point(1, 1, 1);
  loop.partition.in_chans_serial = 2;
  const PlanTerms terms = termsOf(loop);
  // 24 * 32 inputs and 32 * 64 weights in two steps: 384 and 1024.
  EXPECT_EQ(terms.dynamic_slice, Cycles(2 * (25 + 6 * (39 + 24)) + 6 * 2 * (32 + 85)));
  EXPECT_EQ(terms.dynamic_update, 0_cycles);
  EXPECT_EQ(terms.add_in_place, Cycles(6 * (58 + 3 * 128) + 11));  // 24 * 64, 256 per worker
}

TEST(PlanTerms, LoopOverInChansCastsOnceAfterIt) {
  PlanCandidate candidate = kCandidate;
  candidate.input = candidate.output = ElementType::Half;
  PlanPoint loop = point(1, 1, 1);
  EXPECT_GT(termsOf(loop, candidate).reduce, 0_cycles);
  EXPECT_EQ(termsOf(loop, candidate).output_cast, 0_cycles);
  loop.partition.in_chans_serial = 2;
  EXPECT_EQ(termsOf(loop, candidate).reduce, 0_cycles);
  EXPECT_EQ(termsOf(loop, candidate).output_cast, 6 * Cycles(26 + 128));  // 24 * 64, 256 per worker
}

TEST(PlanTerms, LayersRearrangeWeightsBeforeTheySliceThem) {
  PlanCandidate candidate = kCandidate;
  candidate.pass = MatmulPass::InferenceFwd;
  PlanPoint loop = point(1, 1, 1);
  EXPECT_EQ(termsOf(loop, candidate).rearrange_before_slice, 0_cycles);
  loop.partition.out_chans_serial = 2;
  // 32 * 64 floats: a cycle each through the exchange, and one to be moved.
  EXPECT_EQ(termsOf(loop, candidate).rearrange_before_slice, 4096_cycles);
  EXPECT_EQ(planTempBytes(toyMachine(), candidate, loop),
            planTempBytes(toyMachine(), kCandidate, loop) + 8_KiB);
  EXPECT_EQ(termsOf(loop).rearrange_before_slice, 0_cycles);  // a product by itself
}

TEST(PlanTerms, SendInputsOnceWhereTheyAreBroadcastBeforeTheLoop) {
  PlanPoint loop = point(1, 2, 1);
  loop.partition.out_chans_serial = 2;
  const Cycles each = termsOf(loop).input_exchange;
  loop.broadcast = InputBroadcast::BeforeLoop;
  EXPECT_EQ(termsOf(loop).input_exchange, 0_cycles);
  EXPECT_EQ(termsOf(loop).broadcast_before_loop, each);
}

TEST(PlanTerms, TotalTakesTheStepsAndWhatComesOnce) {
  PlanTerms terms;
  terms.partial_calc = 100_cycles;
  terms.dynamic_slice = 10_cycles;
  terms.broadcast_before_loop = 7_cycles;
  terms.output_cast = 3_cycles;
  terms.rearrange_before_slice = 2_cycles;
  EXPECT_EQ(terms.total(4), Cycles(4 * 110 + 12));
}

TEST(PlanTempBytes, HoldOperandsAndPartialsWhileMultiplying) {
  EXPECT_EQ(planTempBytes(toyMachine(), kCandidate, point(1, 1, 1)),
            4_B * (24 * 32 + 32 * 64 + 24 * 64));
}

TEST(PlanTempBytes, HoldSourceAndResultWhileRearranging) {
  PlanCandidate candidate = floatAmp({1, 2000, 8, 8}, 8);
  candidate.order = OperandOrder::AsGiven;
  PlanPoint many = point(1000, 1, 1);
  EXPECT_EQ(planTempBytes(toyMachine(), candidate, many), 4_B * (2 * 8 + 8 * 8 + 2 * 8));
  many.partition.field = 1;
  EXPECT_EQ(planTempBytes(toyMachine(), candidate, many), 4_B * (2 * 2000 * 8 + 64));
}

TEST(PlanTempBytes, HoldAllPartialsOfAResultInAStagedReduction) {
  const PlanCandidate thin = floatAmp({1, 1, 512, 8}, 8);
  // 8 partials per tile and one result of each of 64: what a tile multiplies is less than 8 * 64
  // floats.
  EXPECT_EQ(planTempBytes(toyMachine(), thin, point(1, 1, 64)), 4_B * (8 + 64 + 8));
  const PlanCandidate thinner = [] {
    PlanCandidate candidate = floatAmp({1, 1, 512, 1}, 1);
    candidate.method.kind = MatmulMethod::Hmac;
    return candidate;
  }();
  EXPECT_EQ(planTempBytes(toyMachine(), thinner, point(1, 1, 64)), 4_B * 64);
}

TEST(PlanTempBytes, KeepASumThroughALoopOverInChans) {
  PlanPoint loop = point(1, 1, 1);
  loop.partition.in_chans_serial = 2;
  EXPECT_EQ(planTempBytes(toyMachine(), kCandidate, loop),
            4_B * (24 * 64) + 4_B * (24 * 16 + 16 * 64 + 24 * 64));
}

TEST(PlanTempBytes, KeepBroadcastInputsThroughTheLoop) {
  PlanPoint loop = point(1, 1, 1);
  loop.partition.out_chans_serial = 2;
  loop.broadcast = InputBroadcast::BeforeLoop;
  EXPECT_EQ(planTempBytes(toyMachine(), kCandidate, loop), 4_B * (24 * 32 + (32 * 32 + 24 * 32)));
}

TEST(PlanTempBytes, KeepWhatBroadcastInputsWereRearrangedInto) {
  // 31 in channels are brought into 4 groups of 8.
  const PlanCandidate padded = floatAmp({1, 24, 31, 64}, 8);
  PlanPoint loop = point(1, 1, 1);
  loop.partition.out_chans_serial = 2;
  loop.broadcast = InputBroadcast::BeforeLoop;
  EXPECT_EQ(planTempBytes(toyMachine(), padded, loop),
            4_B * (24 * 32) + 4_B * (24 * 32) + 4_B * (2 * 32 * 64));
}

TEST(PlanCyclesFloor, NeverExceedsAPlanOfACoarserField) {
  for (std::uint32_t field = 1; field <= 24; ++field) {
    const Cycles floor = planCyclesFloor(toyMachine(), kCandidate, point(field, 1, 1).partition);
    for (std::uint32_t coarser = 1; coarser <= field; ++coarser) {
      EXPECT_LE(floor, termsOf(point(coarser, 1, 1)).total(1)) << field << ' ' << coarser;
    }
  }
}

}  // namespace
}  // namespace ipusim::workloads
