// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/multi_slice_code.h"

#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

TEST(MultiSliceCode, TakesMoreThanTheEstimate) {
  const MultiSliceShape even{SliceDirection::Slice, Bytes(4), 6, {7, 5}};
  EXPECT_EQ(multiSliceCodeCycles(gc200(), even), Cycles(6 * (33 + 5 * (23 + 6) + 2 * 8)));
  const MultiSliceShape odd{SliceDirection::Slice, Bytes(4), 5, {7, 5}};
  EXPECT_EQ(multiSliceCodeCycles(gc200(), odd), Cycles(6 * (33 + 5 * (23 + 6) + 2 * 8)));
}

TEST(MultiSliceCode, OtherVerticesTakeTheEstimate) {
  const MultiSliceShape update{SliceDirection::Update, Bytes(4), 6, {7, 5}};
  EXPECT_EQ(multiSliceCodeCycles(gc200(), update), multiSliceCycles(gc200(), update));
  const MultiSliceShape bytes{SliceDirection::Slice, Bytes(1), 6, {7, 5}};
  EXPECT_EQ(multiSliceCodeCycles(gc200(), bytes), multiSliceCycles(gc200(), bytes));
  const MultiSliceShape single{
      SliceDirection::Slice, Bytes(4), 6, {1, 1}, SliceSplit::SingleRegion};
  EXPECT_EQ(multiSliceCodeCycles(gc200(), single), multiSliceCycles(gc200(), single));
}

}  // namespace
}  // namespace ipusim::models
