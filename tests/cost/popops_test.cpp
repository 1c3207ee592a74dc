// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/ipu/cost/movement/one_hot.h"
#include "models/ipu/cost/uncalled/has_nan.h"
#include "models/ipu/cost/uncalled/histogram.h"
#include "models/ipu/cost/uncalled/scalar_multiply.h"
#include "models/ipu/cost/uncalled/small_vertices.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

constexpr std::uint64_t kWorkers = 6;

TEST(HasNaNCycles, GiveTheRestToTheWorkerWithTheMost) {
  // 15 halves are 3 vectors and 3. One vector and the rest are 7, which cost 12 + 3 + 2 + 1.
  EXPECT_EQ(hasNaNCycles(toyMachine(), {ElementType::Half, NonFiniteValues::NaN}, 15),
            Cycles(24 + kWorkers * (17 + 18 + 11)));
  EXPECT_EQ(hasNaNCycles(toyMachine(), {ElementType::Half, NonFiniteValues::NaNOrInf}, 15),
            Cycles(24 + kWorkers * (17 + 18 + 12)));
}

TEST(HasNaN2dCycles, CountAllWorkersForOne) {
  const HasNaNKind kind{ElementType::Float, NonFiniteValues::NaNOrInf};
  EXPECT_EQ(hasNaN2dCycles(toyMachine(), kind, {11, 0}),
            Cycles(kWorkers * (9 + 10 + 6 + 3 + 10 + 8)));
  EXPECT_EQ(hasNaN2dCycles(toyMachine(), kind, {}), Cycles(6));
}

TEST(HistogramCycles, PassOverTheDataForEachLimit) {
  const HistogramKind kind{ElementType::Float, HistogramOf::Magnitudes, 8};
  // Seven limits: a worker makes two passes of 11 + 4 * 5 + 3.
  EXPECT_EQ(histogramCycles(toyMachine(), kind, HistogramSplit::ByLimits, 11),
            Cycles(kWorkers * (30 + 2 * 34 + 14)));
  // By data: seven passes over a vector and the odd element.
  EXPECT_EQ(histogramCycles(toyMachine(), kind, HistogramSplit::ByData, 11),
            Cycles(kWorkers * (37 + 7 * (17 + 4 + 4))));
  EXPECT_EQ(histogram2dCycles(kind, {11, 2}), Cycles(7 + 3 + 7 * (15 + 23 + 4) + 6 + 10 + 14));
}

TEST(ScalarMultiplyCycles, LeaveTheRestToOneWorker) {
  // 30 halves: worker 0 has two vectors, worker 1 one and the rest of two.
  EXPECT_EQ(scalarMultiplyCycles(toyMachine(), 30), Cycles(kWorkers * (51 + 8 + 13)));
  EXPECT_EQ(scalarMultiplyCycles(toyMachine(), 28), Cycles(kWorkers * (51 + 13 + 1)));
  EXPECT_EQ(scalarMultiply2dCycles(OpPlacement::InPlace, {9, 0}),
            Cycles(36 + 17 + 13 + 14 + 17 + 1 + 1));
}

TEST(SmallVertices, FollowTheirLine) {
  EXPECT_EQ(encodeOneHotCycles(ElementType::UInt32, ElementType::Half, 8), Cycles(11 + 592));
  EXPECT_EQ(encodeOneHotCycles(ElementType::Int32, ElementType::Half, 8), Cycles(800));
  EXPECT_EQ(iotaCycles({3, 0}), Cycles(10 + 10 + 4));
  EXPECT_EQ(hadamardProductCycles(toyMachine(), ElementType::Half, {9}), Cycles(5 + 12));
  EXPECT_EQ(intervalCycles(ElementType::Half, 3), Cycles(63));
}

TEST(NormaliseImageCycles, RoundUpFromTwoPixelsLeft) {
  EXPECT_EQ(normaliseImageCycles(toyMachine(), ElementType::Half, 13),
            Cycles(kWorkers * (52 + 22)));
  EXPECT_EQ(normaliseImageCycles(toyMachine(), ElementType::Half, 14),
            Cycles(kWorkers * (52 + 33)));
  EXPECT_THROW(normaliseImageCycles(toyMachine(), ElementType::Int32, 14), InternalError);
}

TEST(SequenceSliceCycles, CopyRowsByTheWord) {
  // 17 rows of 7 halves are 59 words; 118 in two sequences, one each to a worker.
  EXPECT_EQ(sequenceSliceCycles(toyMachine(), {ElementType::Half, 3, 17, 7, 2}),
            Cycles(60 + kWorkers * 59 + 120));
  EXPECT_EQ(sequenceSliceCycles(toyMachine(), {ElementType::Half, 0, 17, 7, 2}), Cycles(40));
}

}  // namespace
}  // namespace ipusim::models
