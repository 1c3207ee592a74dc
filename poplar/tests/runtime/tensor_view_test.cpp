// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/runtime/small_device.h"

namespace {

using poplar::Interval;
using poplar::Tensor;
using testing::ElementsAre;

TEST(TensorView, IndexDropsTheFirstDimension) {
  EXPECT_THAT(elementsOf({2, 3}, [](const Tensor& t) { return t[1]; }), ElementsAre(3, 4, 5));
  EXPECT_THAT(elementsOf({2, 3}, [](const Tensor& t) { return t[1][2]; }), ElementsAre(5));
}

TEST(TensorView, SliceKeepsARangeOfEachDimension) {
  EXPECT_THAT(elementsOf({3, 4},
                         [](const Tensor& t) {
                           return t.slice({1, 1}, {3, 3});
                         }),
              ElementsAre(5, 6, 9, 10));
}

TEST(TensorView, DimShuffleReadsInTheNewOrder) {
  EXPECT_THAT(elementsOf({2, 3},
                         [](const Tensor& t) {
                           return t.dimShuffle({1, 0});
                         }),
              ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(TensorView, DimShufflePartialMovesSomeDimensionsAndKeepsTheOrderOfOthers) {
  EXPECT_THAT(elementsOf({2, 1, 3}, [](const Tensor& t) { return t.dimShufflePartial({2}, {0}); }),
              ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(TensorView, BroadcastRepeatsTheWholeDimension) {
  EXPECT_THAT(elementsOf({3}, [](const Tensor& t) { return t.broadcast(2, 0); }),
              ElementsAre(0, 1, 2, 0, 1, 2));
}

TEST(TensorView, UpsampleRepeatsEachElement) {
  EXPECT_THAT(elementsOf({3}, [](const Tensor& t) { return t.upsample(2, 0); }),
              ElementsAre(0, 0, 1, 1, 2, 2));
}

TEST(TensorView, SubSampleTakesEveryThirdElementAndALastPart) {
  EXPECT_THAT(elementsOf({7}, [](const Tensor& t) { return t.subSample(3, 0); }),
              ElementsAre(0, 3, 6));
}

TEST(TensorView, ReverseTurnsADimensionAround) {
  EXPECT_THAT(elementsOf({2, 2}, [](const Tensor& t) { return t.reverse(0); }),
              ElementsAre(2, 3, 0, 1));
}

TEST(TensorView, ConcatJoinsAlongADimension) {
  EXPECT_THAT(elementsOf({2, 2}, [](const Tensor& t) { return concat(t, t.transpose(), 1); }),
              ElementsAre(0, 1, 0, 2, 2, 3, 1, 3));
}

TEST(TensorView, RegionsAreRangesThatFollowEachOtherInTheVariable) {
  const poplar::Device device = fourTiles();
  poplar::Graph graph(device);
  const Tensor tensor = graph.addVariable(poplar::FLOAT, {4, 4}, "t");
  EXPECT_THAT(tensor.slice(0, 2, 1).getContiguousRegions(),
              ElementsAre(Interval(0, 2), Interval(2, 4), Interval(4, 6), Interval(6, 8)));
  EXPECT_TRUE(tensor.slice(1, 3).isContiguous());
  EXPECT_TRUE(tensor.broadcast(2, 0).containsAliases());
}

TEST(TensorView, AWrongRangeNamesTheTensor) {
  const poplar::Device device = fourTiles();
  poplar::Graph graph(device);
  const Tensor tensor = graph.addVariable(poplar::FLOAT, {4, 4}, "table");
  try {
    static_cast<void>(tensor.slice(2, 5));
    FAIL();
  } catch (const poplar::index_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("slice of table{4,4}"));
  }
}

}  // namespace
