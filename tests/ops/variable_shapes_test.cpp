// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "sim/run/simulate.h"

// Operands, partials and results that are stored in blocks say which tensors they stand for.

namespace ipusim::run {

namespace {

std::map<std::string, Shape> shapesOf(const std::string& workload) {
  const Experiment experiment =
      prepare(ConfigReader::fromText("machine = \"gc200\"\n[workload]\n" + workload, "test"));
  std::map<std::string, Shape> shapes;
  for (const Variable& variable : experiment.workload.graph.variables()) {
    shapes[variable.name] = variable.shape;
  }
  return shapes;
}

std::map<std::string, Shape> matmulShapes(std::uint64_t m, std::uint64_t k, std::uint64_t n,
                                          const std::string& keys = "") {
  return shapesOf(fmt::format("kind = \"matmul\"\nm = {}\nk = {}\nn = {}\n{}", m, k, n, keys));
}

}  // namespace

TEST(VariableShapes, AProductHasItsMatricesAlsoWhereTheyArePadded) {
  const auto shapes = matmulShapes(1000, 333, 77);
  EXPECT_EQ(shapes.at("matmul/left"), Shape({1000, 333}));
  EXPECT_EQ(shapes.at("matmul/right"), Shape({333, 77}));
}

TEST(VariableShapes, TheMatricesOfAProductAreTheSameWhereThePlanSwapsThem) {
  for (const auto& [m, n] : {std::pair{4096U, 64U}, std::pair{64U, 4096U}}) {
    const auto shapes = matmulShapes(m, 512, n);
    EXPECT_EQ(shapes.at("matmul/left"), Shape({m, 512}));
    EXPECT_EQ(shapes.at("matmul/right"), Shape({512, n}));
  }
}

TEST(VariableShapes, GroupsOfAProductAreADimension) {
  const auto shapes = matmulShapes(32, 64, 48, "groups = 5");
  EXPECT_EQ(shapes.at("matmul/left"), Shape({5, 32, 64}));
  EXPECT_EQ(shapes.at("matmul/right"), Shape({5, 64, 48}));
}

TEST(VariableShapes, PartialsAreAMatrixForEachPartOfTheInChannels) {
  const auto shapes = matmulShapes(1024, 1024, 1024);
  const Shape& partials = shapes.at("matmul/partials");
  ASSERT_EQ(partials.size(), 3U);
  EXPECT_GT(partials[0], 1U);
  EXPECT_EQ(Shape(partials.begin() + 1, partials.end()), Shape({1024, 1024}));
  EXPECT_EQ(shapes.at("matmul/out"), Shape({1024, 1024}));
}

TEST(VariableShapes, AProductInStepsHasOneStepInItsSlicesAndTheWholeResult) {
  const auto shapes = matmulShapes(3600, 3600, 3600, "type = \"float\"");
  EXPECT_EQ(shapes.at("matmul/result"), Shape({3600, 3600}));
  EXPECT_EQ(shapes.at("matmul/left"), Shape({3600, 3600}));
  const Shape& slice = shapes.at("matmul/left/slice");
  EXPECT_LT(slice.at(0), 3600U);
  EXPECT_EQ(slice.at(1), 3600U);
}

TEST(VariableShapes, AConvolutionHasActivationsAndWeights) {
  const auto shapes = shapesOf(
      "kind = \"conv\"\nbatch = 2\nin_channels = 16\nout_channels = 64\nfield = [56, 56]\n"
      "kernel = [3, 3]\npadding = [1, 1]\ntype = \"half\"\n");
  EXPECT_EQ(shapes.at("conv/input"), Shape({2, 16, 56, 56}));
  EXPECT_EQ(shapes.at("conv/weights"), Shape({64, 16, 3, 3}));
  EXPECT_EQ(shapes.at("conv/out"), Shape({2, 64, 56, 56}));
}

}  // namespace ipusim::run
