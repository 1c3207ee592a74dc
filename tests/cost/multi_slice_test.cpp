// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/multi_slice.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

TEST(MultiSliceCycles, ChargeAnOffsetThatIsNotOnTheTileLittle) {
  // 4 of 10 offsets: 19 + 2 * 8 each, the others 8.
  EXPECT_EQ(multiSliceCycles(toyMachine(), {SliceDirection::Slice, Bytes(2), 16, {10, 4}}),
            Cycles(6 * (30 + 4 * 35 + 6 * 8)));
}

TEST(MultiSliceCycles, SearchWhereTheOffsetsAreSorted) {
  EXPECT_EQ(multiSliceCycles(toyMachine(), {SliceDirection::Update, Bytes(1), 5, {10, 4, true, 2}}),
            Cycles(6 * (29 + 4 * 25 + 20 * 4 + 30 + 29)));
}

TEST(MultiUpdateCycles, StoreAWordAtATime) {
  // 6 halves are 3 words: 13 + 2 * 3 with a half scale.
  const MultiUpdateShape shape{
      UpdateOp::ScaledAdd, ElementType::Half, ElementType::Half, 6, {5, 5}};
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (37 + 5 * 19)));
}

TEST(MultiUpdateCycles, EnterTheCodeOfASizeEvenWhereTheyLeaveIt) {
  MultiUpdateShape shape{UpdateOp::ScaledAdd, ElementType::Half, ElementType::Half, 4, {5, 5}};
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (36 + 5 * 9)));
  shape.sub_word = SubWordWrites::Needed;
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (36 + 5 * (13 + 80))));
  // Writing in parts alone does not make the start shorter.
  shape.op = UpdateOp::Maximum;
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (33 + 5 * (12 + 80))));
}

TEST(MultiUpdateCycles, MayBeChargedAScaleForAnyOperator) {
  // The code of a size is that of additions alone: 13 + 3 for two words.
  MultiUpdateShape shape{UpdateOp::Maximum, ElementType::Half, ElementType::Half, 4, {5, 5}};
  shape.scaled_anyway = true;
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (37 + 5 * 16)));
}

TEST(MultiUpdateCycles, StoreWhatTheMachineWritesAtOnce) {
  // Eight halves are two stores of 8 bytes.
  MultiUpdateShape shape{UpdateOp::Multiply, ElementType::Half, ElementType::Half, 8, {5, 5}};
  shape.atomic_store = Bytes(8);
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(6 * (33 + 5 * (12 + 3))));
}

TEST(MultiUpdateCycles, AreNotAllWorkersWithoutOffsets) {
  const MultiUpdateShape shape{
      UpdateOp::Maximum, ElementType::Float, ElementType::Float, 6, {0, 0}};
  EXPECT_EQ(multiUpdateCycles(toyMachine(), shape), Cycles(32));
}

}  // namespace
}  // namespace ipusim::models
