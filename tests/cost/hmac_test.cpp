// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/hmac.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

constexpr ElementType kHmacHalf = ElementType::Half;
constexpr ElementType kHmacFloat = ElementType::Float;

HmacShape oneGroup(ElementType inputs, ElementType partials, std::uint64_t in_chans,
                   std::uint64_t out_chans) {
  return {hmacVariant(inputs, partials), inputs, partials, 1, 1, 1, 1, in_chans, out_chans};
}

TEST(HmacVariant, IsOneByOneForHalfInputsAndFloatPartials) {
  EXPECT_EQ(hmacVariant(kHmacHalf, kHmacFloat), HmacVariant::OneByOne);
  EXPECT_EQ(hmacVariant(kHmacHalf, kHmacHalf), HmacVariant::General);
  EXPECT_EQ(hmacVariant(kHmacFloat, kHmacFloat), HmacVariant::General);
}

TEST(HmacDotProductCycles, LoadsWholeVectorsWhereTheChannelsFillThem) {
  // float: 3 + 4, and one cycle per two channels; an odd number costs one more, and two cycles per
  // channel.
  EXPECT_EQ(hmacDotProductCycles(toyMachine(), oneGroup(kHmacFloat, kHmacFloat, 16, 1)),
            Cycles(7 + 8));
  EXPECT_EQ(hmacDotProductCycles(toyMachine(), oneGroup(kHmacFloat, kHmacFloat, 15, 1)),
            Cycles(7 + 1 + 30));
  // half to half: two outputs, 2 * 3 + 1 + 4 - 1; one cycle per four channels, or two cycles per
  // two.
  EXPECT_EQ(hmacDotProductCycles(toyMachine(), oneGroup(kHmacHalf, kHmacHalf, 16, 2)),
            Cycles(10 + 4));
  EXPECT_EQ(hmacDotProductCycles(toyMachine(), oneGroup(kHmacHalf, kHmacHalf, 6, 2)),
            Cycles(10 + 2 + 6));
}

TEST(HmacCycles, FollowsItsFormulaForFloat) {
  // A position a worker: row 19 + 7 + 15, worker 16 + 16 + 41.
  const Cycles expected(58 + 6 * 9 + 23 + 15 + 10 + 6 * 73);
  EXPECT_EQ(hmacRowCycles(toyMachine(), oneGroup(kHmacFloat, kHmacFloat, 16, 1), 6), expected);
}

TEST(HmacCycles, KeepsMoreBetweenCallsInTheOneByOneCodelet) {
  // dot 3 + 4 - 1 + 4 = 10; row 14 + 2 * (2 + 10); worker 16 + 16 - 15 + 38.
  const Cycles expected(65 - 10 + 6 * 9 + 6 * 15 + 23 + 15 + 10 + 6 * 55);
  EXPECT_EQ(hmacRowCycles(toyMachine(), oneGroup(kHmacHalf, kHmacFloat, 16, 1), 12), expected);
}

TEST(HmacCycles, TakeTheSlowestWorker) {
  const HmacShape shape = oneGroup(kHmacFloat, kHmacFloat, 16, 1);
  const WorkerRows uneven{{1}, {1}, {1}, {1}, {1}, {1, 0}};  // an empty row still costs 7
  EXPECT_EQ(hmacCycles(toyMachine(), shape, uneven),
            hmacRowCycles(toyMachine(), shape, 6) + 7_cycles * 6);
}

TEST(HmacCycles, OfARowAreThoseOfItsEvenSplit) {
  const HmacShape shape = oneGroup(kHmacHalf, kHmacHalf, 8, 2);
  EXPECT_EQ(hmacRowCycles(toyMachine(), shape, 8),
            hmacCycles(toyMachine(), shape, {{1}, {1}, {2}, {1}, {1}, {2}}));
}

}  // namespace
}  // namespace ipusim::models
