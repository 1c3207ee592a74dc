// SPDX-License-Identifier: Apache-2.0
#include "poplin/MatMul.hpp"

#include "poplar/tests/runtime/library_fixture.h"
#include "poputil/TileMapping.hpp"

namespace {

using poplar::Tensor;

/// Numbers whose products and sums are exact in float.
std::vector<float> smallNumbersForMatmul(std::size_t count, int seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>((static_cast<int>(i) * 7 + seed) % 11 - 5);
  }
  return values;
}

/// Groups of products of an m x k matrix and a k x n matrix.
struct Products {
  std::size_t groups;
  std::size_t m;
  std::size_t k;
  std::size_t n;
};

/// The products of row-major matrices.
std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b,
                           const Products& shape) {
  const auto [groups, m, k, n] = shape;
  std::vector<float> result(groups * m * n);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t x = 0; x < k; ++x) {
          sum += a[(g * m + i) * k + x] * b[(g * k + x) * n + j];
        }
        result[(g * m + i) * n + j] = sum;
      }
    }
  }
  return result;
}

class MatMul : public LibraryProgram {
 protected:
  std::uint64_t cyclesOfRun() {
    poplar::Engine engine(graph, program);
    engine.loadAndRun(device);
    return engine.getTimeStamp().cycles;
  }
};

TEST_F(MatMul, MultipliesMatricesThatLieAnyhow) {
  const auto a = smallNumbersForMatmul(std::size_t(24) * 18, 1);
  const auto b = smallNumbersForMatmul(std::size_t(18) * 20, 2);
  const Tensor c =
      poplin::matMul(graph, spread<float>({24, 18}, a), spread<float>({18, 20}, b), program);
  EXPECT_THAT(c.shape(), testing::ElementsAre(24, 20));
  EXPECT_EQ(after<float>(c), product(a, b, {1, 24, 18, 20}));
}

TEST_F(MatMul, MultipliesAView) {
  const auto a = smallNumbersForMatmul(std::size_t(18) * 24, 1);
  const auto b = smallNumbersForMatmul(std::size_t(18) * 20, 2);
  std::vector<float> turned(a.size());
  for (std::size_t i = 0; i < 24; ++i) {
    for (std::size_t j = 0; j < 18; ++j) turned[i * 18 + j] = a[j * 24 + i];
  }
  const Tensor c = poplin::matMul(graph, spread<float>({18, 24}, a).transpose(),
                                  spread<float>({18, 20}, b), program);
  EXPECT_EQ(after<float>(c), product(turned, b, {1, 24, 18, 20}));
}

TEST_F(MatMul, MultipliesGroups) {
  const auto a = smallNumbersForMatmul(std::size_t(3) * 8 * 6, 3);
  const auto b = smallNumbersForMatmul(std::size_t(3) * 6 * 10, 4);
  const Tensor c = poplin::matMulGrouped(graph, spread<float>({3, 8, 6}, a),
                                         spread<float>({3, 6, 10}, b), program, poplar::FLOAT);
  EXPECT_EQ(after<float>(c), product(a, b, {3, 8, 6, 10}));
}

TEST_F(MatMul, OperandsThatLieAsThePlanWantsThemAreNotMoved) {
  const std::vector<std::size_t> shape = {32, 32};
  const auto a = smallNumbersForMatmul(std::size_t(32) * 32, 1);
  const auto b = smallNumbersForMatmul(std::size_t(32) * 32, 2);
  const Tensor left = poplin::createMatMulInputLHS(graph, poplar::FLOAT, shape, shape, "left");
  const Tensor right = poplin::createMatMulInputRHS(graph, poplar::FLOAT, shape, shape, "right");
  graph.setInitialValue<float>(left, a);
  graph.setInitialValue<float>(right, b);
  const Tensor c = poplin::matMul(graph, left, right, program);
  const std::uint64_t in_place = cyclesOfRun();
  EXPECT_EQ(after<float>(c), product(a, b, {1, 32, 32, 32}));

  program = poplar::program::Sequence();
  poplin::matMul(graph, spread<float>(shape, a), spread<float>(shape, b), program);
  EXPECT_LT(in_place, cyclesOfRun());
}

TEST_F(MatMul, ACloneOfAnOperandLiesAsThatDoes) {
  const std::vector<std::size_t> shape = {32, 32};
  const Tensor left = poplin::createMatMulInputLHS(graph, poplar::FLOAT, shape, shape);
  const Tensor right = poplin::createMatMulInputRHS(graph, poplar::FLOAT, shape, shape);
  poplin::matMul(graph, left, right, program);
  const std::uint64_t originals = cyclesOfRun();
  program = poplar::program::Sequence();
  poplin::matMul(graph, graph.clone(left), graph.clone(right), program);
  EXPECT_EQ(cyclesOfRun(), originals);
}

TEST_F(MatMul, AddsAScaledProduct) {
  const auto a = smallNumbersForMatmul(64, 1);
  const auto b = smallNumbersForMatmul(64, 2);
  const Tensor c = spread<float>({8, 8}, std::vector<float>(64, 1));
  poplin::matMulAcc(graph, c, 0.5F, spread<float>({8, 8}, a), spread<float>({8, 8}, b), program);
  auto expected = product(a, b, {1, 8, 8, 8});
  for (float& value : expected) value = 1 + value / 2;
  EXPECT_EQ(after<float>(c), expected);
}

TEST_F(MatMul, ShapesThatDoNotFitAreRefused) {
  EXPECT_THROW(poplin::matMul(graph, spread<float>({2, 3}, std::vector<float>(6)),
                              spread<float>({2, 3}, std::vector<float>(6)), program),
               poputil::poplibs_error);
}

TEST_F(MatMul, AVirtualGraphIsRefusedByName) {
  poplar::Graph part = graph.createVirtualGraph(1, 3);
  const Tensor a = part.addVariable(poplar::FLOAT, {4, 4}, poplar::VariableMappingMethod::LINEAR);
  try {
    poplin::matMul(part, a, a, program);
    FAIL();
  } catch (const poplar::poplar_error& error) {
    EXPECT_STREQ(error.what(),
                 "matMul: wanted a graph of all tiles of one IPU, found a virtual one of 2 tiles");
  }
}

}  // namespace
