// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/slice.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

TEST(DynamicSliceCycles, GivesEachWorkerAShareOfEverySlice) {
  // 600 floats are 100 per worker, 50 vectors
  EXPECT_EQ(dynamicSliceCycles(toyMachine(), {4_B, 600, 3}), Cycles(25 + 6 * (39 + 124 * 3)));
  // 600 halves are 25 vectors per worker
  EXPECT_EQ(dynamicSliceCycles(toyMachine(), {2_B, 600, 3}), Cycles(25 + 6 * (39 + 74 * 3)));
}

TEST(DynamicSliceCycles, IsSlowOnBytes) {
  // 600 bytes are 100 per worker, 25 words
  EXPECT_EQ(dynamicSliceCycles(toyMachine(), {1_B, 600, 2}), Cycles(25 + 6 * (76 + 122 * 2)));
}

TEST(DynamicSlice2dCycles, AddsItsRegionsUp) {
  // 27 + (13 + 2 (29 + 5)) + (13 + 2 (29 + 6))
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Slice, 4_B, {10, 11}, 2}),
            191_cycles);
  // 27 + 13 + 3 (31 + 2 * 3)
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Update, 2_B, {10}, 3}), 151_cycles);
}

TEST(DynamicSlice2dCycles, ReadsBeforeItPutsBytesIntoATensor) {
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Slice, 1_B, {9}, 1}),
            Cycles(27 + 13 + 50 + 2 * 3));
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Update, 1_B, {9}, 1}),
            Cycles(27 + 13 + 50 + 23 * 3));
}

TEST(DynamicSliceCycles, TakesEightBytesAsTwoWordsButForA2dSlice) {
  // 600 elements are 1200 words, 200 per worker.
  EXPECT_EQ(dynamicSliceCycles(toyMachine(), {8_B, 600, 3}), Cycles(25 + 6 * (39 + 224 * 3)));
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Slice, 8_B, {9}, 1}),
            Cycles(27 + 13 + 29 + 5));
  EXPECT_EQ(dynamicSlice2dCycles(toyMachine(), {SliceDirection::Update, 8_B, {9}, 1}),
            Cycles(27 + 13 + 30 + 9));
}

}  // namespace
}  // namespace ipusim::models
