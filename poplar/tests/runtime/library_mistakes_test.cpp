// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/runtime/library_fixture.h"
#include "poplin/MatMul.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Loop.hpp"
#include "popops/Pad.hpp"
#include "popops/Reduce.hpp"
#include "popops/Sort.hpp"
#include "poprand/RandomGen.hpp"

// Calls of library functions that cannot be meant are refused where they stand, by their names.

namespace {

using poplar::Tensor;
using testing::HasSubstr;

class LibraryMistakes : public LibraryProgram {
 public:
  Tensor floats(const std::vector<std::size_t>& shape) {
    Tensor tensor = graph.addVariable(poplar::FLOAT, shape, "v");
    poputil::mapTensorLinearly(graph, tensor);
    return tensor;
  }
  /// What a reduction to a new tensor says.
  std::string reduced(const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims) {
    return fault(
        [&] { popops::reduce(graph, floats(shape), dims, popops::Operation::ADD, program); });
  }
};

TEST_F(LibraryMistakes, AReductionWantsDimensionsOfItsInputOnce) {
  EXPECT_EQ(reduced({2, 3}, {7}), "reduce: wanted dimensions of {2,3}, each once, found 7");
  EXPECT_EQ(reduced({2, 3}, {1, 1}),
            "reduce: wanted dimensions of {2,3}, each once, found 1 twice");
  EXPECT_EQ(reduced({0, 3}, {1}), "nothing");
}

TEST_F(LibraryMistakes, AReductionWantsAnOutputOfItsSize) {
  const auto said = [this](std::size_t elements) {
    return fault([&] {
      popops::reduceWithOutput(graph, floats({2, 3}), floats({elements}), {0},
                               popops::Operation::ADD, program);
    });
  };
  EXPECT_EQ(said(1), "reduce: wanted an output of 3 elements, found {1}");
  EXPECT_EQ(said(9), "reduce: wanted an output of 3 elements, found {9}");
  EXPECT_EQ(said(3), "nothing");
}

TEST_F(LibraryMistakes, AnOperatorWantsOperandsOfOneType) {
  const Tensor whole = spread<int>({3}, {1, 2, 3});
  const std::string wanted = "wanted operands of one type (popops::cast), found float and int";
  EXPECT_THAT(fault([&] { popops::add(graph, floats({3}), whole, program); }), HasSubstr(wanted));
  EXPECT_THAT(fault([&] { popops::mulInPlace(graph, floats({3}), whole, program); }),
              HasSubstr(wanted));
}

TEST_F(LibraryMistakes, AResultHasEachElementOnce) {
  const Tensor repeated = floats({1}).broadcast(3, 0);
  EXPECT_THAT(fault([&] { popops::addInPlace(graph, repeated, floats({3}), program); }),
              HasSubstr("found a view that repeats some or has constants: v{3}"));
  EXPECT_THAT(fault([&] { popops::expInPlace(graph, repeated, program); }),
              HasSubstr("wanted a result whose elements can each be written once"));
}

TEST_F(LibraryMistakes, ShapesThatDoNotMatchAreNamed) {
  EXPECT_EQ(fault([&] {
              popops::add(graph, floats({3, 4}), floats({2, 4}), program);
            }),
            "operands: wanted a shape that can be repeated to {3,4}, found {2,4}");
  EXPECT_THAT(fault([&] {
                poplin::matMul(graph, floats({3, 4}), floats({3, 5}), program);
              }),
              HasSubstr("found {1,3,4} and {1,3,5}"));
}

TEST_F(LibraryMistakes, PaddingWantsADimensionAndNoSizeBelowZero) {
  EXPECT_THAT(fault([&] { popops::pad(graph, floats({3}), 1, 2, 4, 0.0F); }),
              HasSubstr("in a dimension of {3}, found 1 and 2 in dimension 4"));
  EXPECT_THAT(fault([&] { popops::pad(graph, floats({3}), -1, 0, 0, 0.0F); }),
              HasSubstr("wanted sizes of at least 0"));
}

TEST_F(LibraryMistakes, ALoopWantsAStep) {
  const auto none = [](const Tensor&) { return poplar::program::Sequence(); };
  EXPECT_EQ(fault([&] { popops::countedLoop(graph, 0, 5, 0, none); }),
            "countedLoop: wanted a step of at least 1, found 0");
}

TEST_F(LibraryMistakes, ASeedHasTwoWords) {
  const Tensor seed = spread<unsigned>({3}, {1, 2, 3});
  EXPECT_EQ(fault([&] { poprand::setSeed(graph, seed, 0, program); }),
            "random numbers: wanted a seed of two words, found {3}");
}

TEST_F(LibraryMistakes, NoElementsAreSorted) {
  const Tensor sorted = popops::sort(graph, floats({4, 0}), 1, program);
  EXPECT_EQ(sorted.shape(), (std::vector<std::size_t>{4, 0}));
}

}  // namespace
