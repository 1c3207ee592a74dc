// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "poplar/tests/runtime/small_device.h"
#include "popops/Cast.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Fill.hpp"
#include "popops/Reduce.hpp"
#include "popops/ScaledAdd.hpp"
#include "popops/Zero.hpp"
#include "poputil/TileMapping.hpp"

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::ElementsAre;

class Popops : public testing::Test {
 public:
  Tensor floats(const std::vector<std::size_t>& shape, const std::vector<float>& values) {
    Tensor tensor = graph.addVariable(poplar::FLOAT, shape, "v");
    const Tensor flat = tensor.flatten();
    for (unsigned i = 0; i < flat.numElements(); ++i) graph.setTileMapping(flat[i], i % 4);
    graph.setInitialValue(tensor, values);
    return tensor;
  }
  std::vector<float> after(const Tensor& tensor) {
    graph.createHostRead("values", tensor);
    poplar::Engine engine(graph, program);
    engine.loadAndRun(device);
    std::vector<float> values(tensor.numElements());
    engine.readTensor("values", values.data(), values.data() + values.size());
    return values;
  }

  poplar::Device device = fourTiles();
  poplar::Graph graph{device};
  Sequence program;
};

TEST_F(Popops, AddsTransposedViews) {
  const Tensor a = floats({2, 2}, {1, 2, 3, 4});
  const Tensor b = floats({2, 2}, {10, 20, 30, 40});
  const Tensor sum = popops::add(graph, a, b.transpose(), program);
  EXPECT_THAT(after(sum), ElementsAre(11, 32, 23, 44));
}

TEST_F(Popops, RepeatsTheSmallerOperand) {
  const Tensor table = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor row = floats({3}, {10, 100, 1000});
  EXPECT_THAT(after(popops::mul(graph, table, row, program)),
              ElementsAre(10, 200, 3000, 40, 500, 6000));
}

TEST_F(Popops, ChangesAnOperandInPlace) {
  const Tensor a = floats({5}, {1, 2, 3, 4, 5});
  popops::subInPlace(graph, a, 1.0F, program);
  popops::squareInPlace(graph, a, program);
  EXPECT_THAT(after(a), ElementsAre(0, 1, 4, 9, 16));
}

TEST_F(Popops, AScaledAddTakesBothOperands) {
  const Tensor a = floats({3}, {1, 2, 3});
  popops::scaledAddTo(graph, a, floats({3}, {10, 20, 30}), 0.5F, program);
  EXPECT_THAT(after(a), ElementsAre(6, 12, 18));
}

TEST_F(Popops, AScaledAddTakesSmallAndWholeScales) {
  const Tensor a = floats({1}, {0});
  popops::scaledAddTo(graph, a, floats({1}, {1}), 1.25e-7F, program);
  popops::scaledAddTo(graph, a, floats({1}, {1e-7F}), 2, program);
  EXPECT_THAT(after(a), ElementsAre(1.25e-7F + 2 * 1e-7F));
}

TEST_F(Popops, FillsAndClears) {
  const Tensor a = floats({4}, {1, 2, 3, 4});
  popops::fill(graph, a.slice(0, 2), program, 7);
  popops::zero(graph, a.slice(3, 4), program);
  EXPECT_THAT(after(a), ElementsAre(7, 7, 3, 0));
}

TEST_F(Popops, AComparisonGivesBools) {
  const Tensor a = floats({3}, {1, 2, 3});
  const Tensor small = popops::lt(graph, a, 2.5F, program);
  ASSERT_EQ(small.elementType(), poplar::BOOL);
  EXPECT_THAT(after(popops::cast(graph, small, poplar::FLOAT, program)), ElementsAre(1, 1, 0));
}

TEST_F(Popops, ReducesADimension) {
  const Tensor table = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(after(popops::reduce(graph, table, {0}, {popops::Operation::ADD}, program)),
              ElementsAre(5, 7, 9));
}

TEST_F(Popops, ReducesALongVectorInParts) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Tensor all = floats({1000}, values);
  EXPECT_THAT(after(popops::reduce(graph, all, {0}, popops::Operation::ADD, program)),
              ElementsAre(499500));
}

}  // namespace
