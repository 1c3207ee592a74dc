// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {
namespace {

using models::SliceDirection;

constexpr std::size_t kBase = 1;
constexpr std::size_t kSub = 2;

VertexType floatSlice(SliceDirection direction) {
  return dynamicSliceVertex({ElementType::Float, 2, 3, direction});
}

const Numbers kSixNumbers{10, 11, 20, 21, 30, 31};

TEST(DynamicSlice1D, TakesTheRegionOfThatIndex) {
  const VertexType slice = floatSlice(SliceDirection::Slice);
  EXPECT_EQ(computed(slice, {{1}, kSixNumbers}, kSub), (Numbers{20, 21}));
}

TEST(DynamicSlice1D, WrapsRoundAtTheEnd) {
  const VertexType one = floatSlice(SliceDirection::Slice);
  EXPECT_EQ(computed(one, {{3}, kSixNumbers}, kSub), (Numbers{10, 11}));
}

TEST(DynamicSlice1D, PutsTheRegionBackAndLeavesTheOthers) {
  const VertexType update = floatSlice(SliceDirection::Update);
  EXPECT_EQ(computed(update, {{2}, kSixNumbers, {7, 8}}, kBase), (Numbers{10, 11, 20, 21, 7, 8}));
}

TEST(DynamicSlice1D, MovesSeveralSlicesThatGoOnAtTheBeginning) {
  const VertexType slice = dynamicSliceVertex({ElementType::Float, 2, 3, SliceDirection::Slice, 2});
  EXPECT_EQ(computed(slice, {{2}, kSixNumbers}, kSub), (Numbers{30, 31, 10, 11}));
  const VertexType update =
      dynamicSliceVertex({ElementType::Float, 2, 3, SliceDirection::Update, 2});
  EXPECT_EQ(computed(update, {{2}, kSixNumbers, {5, 6, 7, 8}}, kBase),
            (Numbers{7, 8, 20, 21, 5, 6}));
  // 25 + 6 (39 + 2 (24 + 2 floor(1 / 2))): a worker has one element of a slice.
  EXPECT_EQ(slice.cycles(models::gc200()), Cycles(25 + 6 * (39 + 2 * 24)));
}

TEST(DynamicSlice1D, ReadsOrWritesItsBaseByItsDirection) {
  EXPECT_EQ(floatSlice(SliceDirection::Slice).fields[kBase].direction, FieldDirection::Input);
  EXPECT_EQ(floatSlice(SliceDirection::Slice).fields[kSub].direction, FieldDirection::Output);
  EXPECT_EQ(floatSlice(SliceDirection::Update).fields[kBase].direction, FieldDirection::InOut);
  EXPECT_EQ(floatSlice(SliceDirection::Update).fields[kSub].direction, FieldDirection::Input);
  EXPECT_EQ(floatSlice(SliceDirection::Update).name, "popops::DynamicUpdateSlice1D<float>");
}

// Rows of dynamic_slice.csv.
TEST(DynamicSlice1D, CostsThePublishedEstimate) {
  const VertexType halves = dynamicSliceVertex({ElementType::Half, 138, 8, SliceDirection::Update});
  const VertexType ints = dynamicSliceVertex({ElementType::Int32, 29, 18, SliceDirection::Slice});
  EXPECT_EQ(halves.cycles(models::gc200()), Cycles(463));
  EXPECT_EQ(ints.cycles(models::gc200()), Cycles(427));
  EXPECT_EQ(ints.sizes.state, Bytes(24));
}

}  // namespace
}  // namespace ipusim::workloads
