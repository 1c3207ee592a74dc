// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tests/runtime/library_fixture.h"
#include "popops/Cast.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Gather.hpp"
#include "popops/HostSliceTensor.hpp"
#include "popops/ScaledAdd.hpp"
#include "popops/Zero.hpp"
#include "poprand/RandomGen.hpp"

namespace {

using poplar::Interval;
using poplar::Tensor;
using testing::ElementsAre;

using MoreOperations = LibraryProgram;

TEST_F(MoreOperations, AScaleMayBeATensorOfAnotherType) {
  const Tensor a = spread<float>({3}, {1, 2, 3});
  popops::scaledAddTo(graph, a, spread<float>({3}, {10, 20, 30}), spread<int>({}, {2}), program);
  EXPECT_THAT(after<float>(a), ElementsAre(21, 42, 63));
}

TEST_F(MoreOperations, WhatIsAddedMayBeOfAnotherType) {
  const Tensor a = spread<float>({3}, {1, 2, 3});
  const Tensor b = popops::cast(graph, spread<float>({3}, {10, 20, 30}), poplar::HALF, program);
  popops::scaledAddTo(graph, a, b, 0.5F, program);
  popops::scaledAddTo(graph, b, a, 2.0F, program);
  EXPECT_THAT(after<float>(popops::cast(graph, b, poplar::FLOAT, program)),
              ElementsAre(22, 44, 66));
}

TEST_F(MoreOperations, AResultTakesTheTypeOfItsTensor) {
  const Tensor a = spread<float>({2}, {1.5F, 2.5F});
  const Tensor sum = spread<int>({2}, {9, 9});
  popops::addWithOutput(graph, a, spread<float>({2}, {2, 2}), sum, program);
  const Tensor negative = spread<int>({2}, {9, 9});
  popops::negWithOutput(graph, a, negative, program);
  EXPECT_THAT(after<int>(poplar::concat(sum, negative)), ElementsAre(3, 4, -1, -2));
}

TEST_F(MoreOperations, AComparisonMayBeOfNumbersAndGiveNumbers) {
  const Tensor a = spread<float>({2}, {1.5F, 2.5F});
  const Tensor is_greater = spread<float>({2}, {9, 9});
  popops::gtWithOutput(graph, a, 2.0F, is_greater, program);
  const Tensor quotient = spread<float>({2}, {9, 9});
  popops::divWithOutput(graph, 6, a, quotient, program);
  EXPECT_THAT(after<float>(poplar::concat(is_greater, quotient)),
              testing::Pointwise(testing::FloatEq(), {0.0F, 1.0F, 4.0F, 2.4F}));
}

TEST_F(MoreOperations, BothOperandsMayBeScaled) {
  const Tensor a = spread<float>({3}, {1, 2, 3});
  popops::scaledAddTo(graph, a, 2.0F, spread<float>({3}, {10, 20, 30}), 0.5F, program);
  EXPECT_THAT(after<float>(a), ElementsAre(7, 14, 21));
}

TEST_F(MoreOperations, AScaledOperandMayBeSubtracted) {
  const Tensor a = spread<float>({3}, {1, 2, 3});
  const Tensor b = spread<float>({3}, {10, 20, 30});
  popops::scaledSubtractFrom(graph, a, b, 0.5F, program);
  popops::scaledSubtractFrom(graph, a, b, spread<float>({1}, {0.1F}), program);
  EXPECT_THAT(after<float>(a), ElementsAre(-5, -10, -15));
}

TEST_F(MoreOperations, CastsToATensorThatExists) {
  const Tensor from = spread<float>({3}, {1.5F, -2.5F, 3});
  const Tensor to = spread<int>({3}, {0, 0, 0});
  program.add(popops::cast(graph, from, to));
  EXPECT_THAT(after<int>(to), ElementsAre(1, -2, 3));
}

TEST_F(MoreOperations, CastsInAComputeSet) {
  const poplar::ComputeSet compute_set = graph.addComputeSet("casts");
  const Tensor found = popops::cast(graph, spread<int>({2}, {4, 5}), poplar::FLOAT, compute_set);
  program.add(poplar::program::Execute(compute_set));
  EXPECT_THAT(after<float>(found), ElementsAre(4, 5));
}

TEST_F(MoreOperations, FillsAndClearsRegionsInAComputeSet) {
  const Tensor a = spread<int>({8}, countingUp(8));
  const poplar::ComputeSet compute_set = graph.addComputeSet("fill");
  popops::fill(graph, a, {Interval(1, 3)}, 0, compute_set, 9);
  popops::zero(graph, a.slice(6, 8), 2, compute_set);
  program.add(poplar::program::Execute(compute_set));
  EXPECT_THAT(after<int>(a), ElementsAre(0, 9, 9, 3, 4, 5, 0, 0));
}

TEST_F(MoreOperations, GathersIndicesOfADimension) {
  const Tensor table = popops::createGatherInput(graph, poplar::FLOAT, {2, 4}, 1);
  graph.setInitialValue<float>(table, {0, 1, 2, 3, 10, 11, 12, 13});
  const Tensor found = popops::gather(graph, table, spread<unsigned>({3}, {3, 0, 3}), 1, program);
  ASSERT_THAT(found.shape(), ElementsAre(2, 3));
  EXPECT_THAT(after<float>(found), ElementsAre(3, 0, 3, 13, 10, 13));
}

TEST_F(MoreOperations, DropoutKeepsAndScales) {
  const Tensor ones = spread<float>({200}, std::vector<float>(200, 1));
  const std::vector<float> found =
      after<float>(poprand::dropout(graph, nullptr, 0, ones, ones, 0.75, 4, program));
  const auto kept = std::count(found.begin(), found.end(), 4.0F);
  EXPECT_EQ(kept + std::count(found.begin(), found.end(), 0.0F), 200);
  EXPECT_NEAR(static_cast<double>(kept), 150, 30);
}

TEST_F(MoreOperations, ALinearMappingMayBeginOnAnyTile) {
  const Tensor tensor = graph.addVariable(poplar::FLOAT, {64}, "t");
  poputil::mapTensorLinearlyWithOffset(graph, tensor, 3);
  EXPECT_THAT(graph.getTileMapping(tensor)[3], ElementsAre(Interval(0, 32)));
  EXPECT_THAT(graph.getTileMapping(tensor)[0], ElementsAre(Interval(32, 64)));
  poputil::mapTensorLinearlyWithOffset(graph, tensor, 1, false);
  EXPECT_THAT(graph.getTileMapping(tensor)[3], ElementsAre(Interval(0, 32)));
  EXPECT_THAT(graph.getTileMapping(tensor)[2], ElementsAre(Interval(32, 64)));
}

TEST_F(MoreOperations, ATensorForTheHostIsMapped) {
  const Tensor tensor = popops::createHostTransferableTensor(graph, poplar::INT, {5}, true);
  EXPECT_NO_THROW(graph.getTileMapping(tensor));
}

}  // namespace
