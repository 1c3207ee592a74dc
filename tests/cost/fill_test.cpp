// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/fill.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

TEST(FillCycles, StoresTwoFloatsOrFourHalvesASlot) {
  EXPECT_EQ(fillCycles(toyMachine(), {4_B, 100}), Cycles(23 + 50));
  EXPECT_EQ(fillCycles(toyMachine(), {4_B, 101}), Cycles(23 + 50 + 1));
  EXPECT_EQ(fillCycles(toyMachine(), {2_B, 100}), Cycles(26 + 25));
}

TEST(FillCycles, HasNoLoopForOneOrTwoHalves) {
  EXPECT_EQ(fillCycles(toyMachine(), {2_B, 1}), 15_cycles);
  EXPECT_EQ(fillCycles(toyMachine(), {2_B, 2}), 21_cycles);
  EXPECT_EQ(fillCycles(toyMachine(), {2_B, 0}), 26_cycles);
}

TEST(FillCycles, OfQuartersAreCodedAsOfFloats) {
  EXPECT_EQ(fillCycles(toyMachine(), {1_B, 101, FillCode::Quarter}), Cycles(23 + 50 + 1));
  EXPECT_EQ(fill2dCycles(toyMachine(), {1_B, {10, 20}, FillCode::Quarter}), 61_cycles);
}

TEST(FillCycles, ChangesLoopAtSixtyFourBytes) {
  EXPECT_EQ(fillCycles(toyMachine(), {1_B, 63}), Cycles(28 + 15));
  EXPECT_EQ(fillCycles(toyMachine(), {1_B, 64}), Cycles(39 + 8));
}

TEST(FillCycles, StoresLongsOneByOne) {
  EXPECT_EQ(fillCycles(toyMachine(), {8_B, 100}), 105_cycles);
}

TEST(FillCycles, KnowsNoOtherSize) {
  EXPECT_THROW(fillCycles(toyMachine(), {3_B, 1}), InternalError);
}

TEST(Fill2dCycles, SavesAPartOfTheStartOnEachRegion) {
  // 6 + (23 + 5 - 3) + (23 + 10 - 3)
  EXPECT_EQ(fill2dCycles(toyMachine(), {4_B, {10, 20}}), 61_cycles);
  // 5 + (26 + 2 - 2) + (15 - 2)
  EXPECT_EQ(fill2dCycles(toyMachine(), {2_B, {8, 1}}), 44_cycles);
  EXPECT_EQ(fill2dCycles(toyMachine(), {4_B, {}}), 6_cycles);
}

}  // namespace
}  // namespace ipusim::models
