// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/cast.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

const CastTypes kNarrow = castTypes(ElementType::Float, ElementType::Half);
const CastTypes kWiden = castTypes(ElementType::Half, ElementType::Float);

TEST(CastCycles, NarrowsFourFloatsInTwoSlots) {
  // v = 4, c = 2: 19 + 2 * 25 + 2
  EXPECT_EQ(castWorkerCycles(toyMachine(), {kNarrow, 100}), Cycles(5 + 71));
  // a rest of 3 has two bits
  EXPECT_EQ(castWorkerCycles(toyMachine(), {kNarrow, 103}), Cycles(5 + 71 + 4));
}

TEST(CastCycles, WidensTwoHalvesInASlot) {
  // v = 2, c = 1: 19 + 50 + 1
  EXPECT_EQ(castWorkerCycles(toyMachine(), {kWiden, 100}), Cycles(5 + 70));
}

TEST(CastCycles, SpreadsOverTheWorkers) {
  // 600 elements are 100 per worker
  EXPECT_EQ(castCycles(toyMachine(), {kNarrow, 600}), Cycles(12 + 6 * (18 + 71)));
  EXPECT_EQ(castCycles(toyMachine(), {kNarrow, 595}), Cycles(12 + 6 * (18 + 71)));
}

TEST(CastCycles, TakesIntegersOneByOne) {
  const CastTypes types = castTypes(ElementType::Float, ElementType::Int32);
  EXPECT_EQ(castWorkerCycles(toyMachine(), {types, 100}), Cycles(5 + 19 + 200));
}

TEST(CastCycles, TakesBytesByFour) {
  const CastTypes widen = castTypes(DataType::Name::UnsignedChar, ElementType::Half);
  const CastTypes narrow = castTypes(ElementType::Half, DataType::Name::SignedChar);
  EXPECT_EQ(castWorkerCycles(toyMachine(), {widen, 1}), Cycles(5 + 4 + 12));
  EXPECT_EQ(castWorkerCycles(toyMachine(), {widen, 10}), Cycles(5 + 4 + 14 + 9 + 14));
  EXPECT_EQ(castWorkerCycles(toyMachine(), {narrow, 11}), Cycles(5 + 8 + 19 + 16 + 29));
}

TEST(CastCycles, TakeQuartersByEightAndNothingForTheFirst) {
  const CastTypes types = castTypes(DataType::Name::Quarter, DataType::Name::Char);
  // One group; three of them and five elements, five slots for each.
  EXPECT_EQ(castWorkerCycles(toyMachine(), {types, 8}), Cycles(5 + 4 + 2));
  EXPECT_EQ(castWorkerCycles(toyMachine(), {types, 29}), Cycles(5 + 4 + 2 * 28 + 25));
}

TEST(CastCycles, SpreadASignOverTheUpperHalf) {
  const DataType wide = DataType::Name::LongLong;
  EXPECT_EQ(castWorkerCycles(toyMachine(), {castTypes(ElementType::Int32, wide), 10}),
            Cycles(5 + 3 + 50));
  EXPECT_EQ(castWorkerCycles(toyMachine(), {castTypes(ElementType::UInt32, wide), 10}),
            Cycles(5 + 3 + 40));
}

TEST(CastTypes, AreOneByOneWhereOnlyOneTypeIsFloating) {
  EXPECT_EQ(castTypes(DataType::Name::SignedChar, ElementType::Half).loop, CastLoop::OneByOne);
  EXPECT_EQ(castTypes(ElementType::Float, DataType::Name::Quarter).loop, CastLoop::OneByOne);
  EXPECT_EQ(castTypes(ElementType::Half, DataType::Name::Quarter).loop, CastLoop::Vectors);
}

TEST(Cast2dCycles, AddsItsRegionsUp) {
  // 5 + (11 + 19 + 5 + 1) + (11 + 19 + 10 + 1)
  EXPECT_EQ(cast2dCycles(toyMachine(), {kWiden, {10, 20}}), Cycles(82));
}

}  // namespace
}  // namespace ipusim::models
