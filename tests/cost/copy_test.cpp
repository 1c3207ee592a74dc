// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/copy.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

TEST(CopyCycles, MovesEightBytesACycleInOnePiece) {
  // 1,024 words over 6 workers are 171 for the busiest
  EXPECT_EQ(copyCycles(toyMachine(), {{{1, 8_KiB}}}), 6 * Cycles(26 + 171));
}

TEST(CopyCycles, MovesHalfAsFastWhereOnlyWordsAreAligned) {
  EXPECT_EQ(copyCycles(toyMachine(), {{{1, 8_KiB, 4_B}}}), 6 * Cycles(26 + 342));
}

TEST(CopyCycles, MovesWhatIsLeftOfARunByItself) {
  // 48 runs, 8 per worker, of 3 vectors and: a word; a word and a half; a half
  EXPECT_EQ(copyCycles(toyMachine(), {{{48, 28_B}}}), 6 * Cycles(86 + 8 * (6 + 4)));
  EXPECT_EQ(copyCycles(toyMachine(), {{{48, 30_B}}}), 6 * Cycles(86 + 8 * (6 + 8)));
  EXPECT_EQ(copyCycles(toyMachine(), {{{48, 26_B}}}), 6 * Cycles(86 + 8 * (6 + 7)));
  // aligned to words only: 6 words and a half
  EXPECT_EQ(copyCycles(toyMachine(), {{{48, 26_B, 4_B}}}), 6 * Cycles(86 + 8 * (6 + 10)));
}

TEST(CopyCycles, TakesFourSlotsAWordForUnalignedHalves) {
  EXPECT_EQ(copyCycles(toyMachine(), {{{1, 8_KiB, 2_B}}}), 6 * Cycles(26 + 1366));
}

TEST(CopyCycles, CopiesAFewRunsPieceByPiece) {
  // 12 runs of 100 words: 2 per worker
  EXPECT_EQ(copyCycles(toyMachine(), {{{12, 800_B}}}), 6 * Cycles(2 * 26 + 200));
}

TEST(CopyCycles, LoopsOverManyShortRuns) {
  // 600 floats: 100 per worker, 6 + 1 slots each
  EXPECT_EQ(copyCycles(toyMachine(), {{{600, 4_B}}}), 6 * Cycles(86 + 700));
  // 600 halves: 6 + 4 slots each
  EXPECT_EQ(copyCycles(toyMachine(), {{{600, 2_B, 2_B}}}), 6 * Cycles(86 + 1000));
}

TEST(CopyCycles, AddsUpRunsOfSeveralKinds) {
  // 300 (6 + 1) + 300 (6 + 2) slots over 6 workers
  EXPECT_EQ(copyCycles(toyMachine(), {{{300, 8_B}, {300, 16_B}}}), 6 * Cycles(86 + 750));
}

TEST(CopyCycles, IsNothingForNothing) {
  EXPECT_EQ(copyCycles(toyMachine(), {{}}), 0_cycles);
  EXPECT_EQ(copyCycles(toyMachine(), {{{0, 8_B}, {5, 0_B}}}), 0_cycles);
}

TEST(CopyCycles, NeverFallsWithMoreRuns) {
  Cycles before;
  for (std::uint64_t runs = 1; runs < 300; ++runs) {
    const Cycles now = copyCycles(toyMachine(), {{{runs, 24_B}}});
    EXPECT_GE(now, before) << runs;
    before = now;
  }
}

TEST(CopyCycles, LiesWithinOnePercentOfAMeasuredCopyOfEightKiB) {
  // 1,308 cycles (osmarks/ipu-stack, cost.rs), 127 of them the call and the counter: copy.h
  const double ours = static_cast<double>(copyCycles(gc200(), {{{1, 8_KiB}}}).value());
  EXPECT_NEAR(ours, 1308 - 127, 12);
}

TEST(CopyWorkerCycles, KnowsOneRunFromMany) {
  EXPECT_EQ(copyWorkerCycles(toyMachine(), {1, 80_B}), Cycles(26 + 10));
  EXPECT_EQ(copyWorkerCycles(toyMachine(), {3, 80_B}), Cycles(86 + 3 * 16));
}

}  // namespace
}  // namespace ipusim::models
