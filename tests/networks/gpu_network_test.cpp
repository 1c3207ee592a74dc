// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/gpu/gpu_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/networks/gpu/gpu_convolution.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/skipped.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;
using Direction = ConvolutionNode::Direction;

gpu::Program programOf(const std::string& text, const Shape& input,
                       ElementType type = ElementType::Float) {
  const TextNetwork network = readNetworkText(text, {2, input, type});
  return gpuNetwork(network.graph, {network.result});
}

std::vector<std::string> operatorsOf(const gpu::Program& program) {
  std::vector<std::string> names;
  for (const gpu::Operator& one : program.operators) names.push_back(one.name);
  return names;
}

template <typename Kind>
const Kind& kernelOf(const gpu::Program& program, std::size_t at = 0) {
  return std::get<Kind>(program.operators.at(at).kernels.back());
}

TEST(GpuNetwork, HasAnOperatorForEachNodeThatLaunches) {
  const auto program = programOf("conv 4 3; relu; flatten; linear 5; softmax", {3, 8, 8});
  EXPECT_THAT(operatorsOf(program), ElementsAre("conv1", "relu1", "linear1", "softmax1"));
}

TEST(GpuNetwork, AddsAResidualAsAPass) {
  const auto program = programOf("save a; linear 3; add a", {3});
  EXPECT_THAT(operatorsOf(program), ElementsAre("linear1", "add1"));
  EXPECT_EQ(kernelOf<gpu::Elementwise>(program, 1).read, Bytes(2ULL * 4 * 2 * 3));
}

/// The operators of a linear layer to whose result, (2, 6, 5), a parameter is added.
std::vector<std::string> operatorsWithAdded(const Shape& added, bool is_on_the_left,
                                            bool is_a_view = false) {
  NetworkGraph graph;
  const auto x = graph.addSource("x", {{2, 6, 3}}, TensorRole::Input);
  const auto weights = graph.addSource("weights", {{3, 5}}, TensorRole::Parameter);
  const Shape flat{elementsOf(added)};
  auto parameter = graph.addSource("parameter", {is_a_view ? flat : added}, TensorRole::Parameter);
  if (is_a_view) parameter = graph.add("view", reshape(added), {parameter});
  const auto y = graph.add("linear", matmul(), {x, weights});
  const std::vector<NetworkTensorId> operands{is_on_the_left ? parameter : y,
                                              is_on_the_left ? y : parameter};
  const auto result = graph.add("add", binary(models::BinaryOp::Add), operands);
  return operatorsOf(gpuNetwork(graph, {result}));
}

TEST(GpuNetwork, AddsABiasInTheKernelOfTheProduct) {
  EXPECT_THAT(operatorsWithAdded({5}, false), ElementsAre("linear"));
  EXPECT_THAT(operatorsWithAdded({5}, true), ElementsAre("linear"));
  EXPECT_THAT(operatorsWithAdded({1, 1, 5}, false, true), ElementsAre("linear"));
}

TEST(GpuNetwork, AddsATableOfPositionsAsAPass) {
  EXPECT_THAT(operatorsWithAdded({6, 5}, false), ElementsAre("linear", "add"));
  EXPECT_THAT(operatorsWithAdded({6, 5}, true), ElementsAre("linear", "add"));
}

TEST(GpuNetwork, HasNoOperatorForASkippedNode) {
  NetworkGraph graph;
  const auto x = graph.addSource("x", {{2, 6}}, TensorRole::Input);
  const auto skipped = graph.add("mish", skippedOperation("Mish", {{{2, 6}}}), {x});
  const auto y = graph.add("relu", unary(UnaryFunction::Relu), {skipped});
  EXPECT_THAT(operatorsOf(gpuNetwork(graph, {y})), ElementsAre("relu"));
}

TEST(GpuNetwork, MultipliesByTheLibrary) {
  const auto linear = programOf("linear 5", {7, 3});
  const auto& flat = kernelOf<gpu::Gemm>(linear);
  EXPECT_EQ(flat.shape.m, 14U);
  EXPECT_EQ(flat.shape.k, 3U);
  EXPECT_EQ(flat.shape.n, 5U);
  EXPECT_EQ(flat.precision, gpu::Precision::Fp32);
  const auto program = programOf("attention 2", {6, 8}, ElementType::Half);
  EXPECT_EQ(program.numbers, gpu::Numbers::Half);
  const auto& scores = kernelOf<gpu::BatchedGemm>(program, 3);
  EXPECT_EQ(scores.shape.batch, 4U);
  EXPECT_EQ(scores.shape.m, 6U);
  EXPECT_EQ(scores.shape.k, 4U);
  EXPECT_EQ(scores.precision, gpu::Precision::Fp16);
}

TEST(GpuNetwork, ReadsANormTwice) {
  const auto program = programOf("layer_norm", {16});
  ASSERT_EQ(program.operators.front().kernels.size(), 2U);
  const auto& statistics = std::get<gpu::Reduce>(program.operators.front().kernels.front());
  EXPECT_GE(statistics.read, Bytes(4ULL * 2 * 16));
}

TEST(GpuNetwork, GathersRows) {
  const auto program = programOf("embedding 100 12", {7});
  const auto& gather = kernelOf<gpu::Gather>(program);
  EXPECT_EQ(gather.rows, 14U);
  EXPECT_EQ(gather.row, Bytes(48));
}

TEST(GpuNetwork, HoldsResultsUntilTheirLastReader) {
  // x, a and b, then x, b and c: three rows of 2 x 64 floats.
  constexpr std::uint64_t kRow = 4ULL * 2 * 64;
  EXPECT_EQ(programOf("relu; tanh; sigmoid", {64}).tensors, Bytes(3 * kRow));
  EXPECT_EQ(programOf("relu; save a; tanh; sigmoid; add a", {64}).tensors, Bytes(4 * kRow));
}

TEST(GpuNetwork, HoldsNoViews) {
  EXPECT_EQ(programOf("flatten; relu", {8, 8}).tensors, Bytes(2ULL * 4 * 2 * 64));
}

/// (2, 8, 9, 9) through 16 kernels of 3 x 3 with stride 2: positions of 4 x 4.
ConvolutionNode strided(Direction direction, std::uint64_t groups = 1) {
  ConvolutionShape shape{WindowMotion::plain(2), groups};
  shape.motion.stride = {2, 2};
  return {direction, shape, 2, 8, 16, {{9, 9}, {3, 3}, shape.motion}};
}

TensorTypes operandTypes() {
  return {{{2, 8, 9, 9}}, {{16, 8, 3, 3}}};
}

void expectShape(const gpu::GemmShape& shape, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  EXPECT_EQ(shape.m, m);
  EXPECT_EQ(shape.n, n);
  EXPECT_EQ(shape.k, k);
}

TEST(GpuConvolution, IsAnImplicitProductInEachDirection) {
  const auto kernel = [](Direction direction) {
    return std::get<gpu::Gemm>(gpuConvolution(strided(direction), operandTypes())).shape;
  };
  expectShape(kernel(Direction::Forward), 32, 16, 72);
  // A quarter of the windows' elements: the others are between the strides.
  expectShape(kernel(Direction::InputGradient), 2 * 81, 8, 36);
  expectShape(kernel(Direction::WeightGradient), 16, 72, 32);
  EXPECT_EQ(kernel(Direction::Forward).operand_bytes, Bytes(4ULL * (2 * 8 * 81 + 16 * 8 * 9)));
}

TEST(GpuConvolution, InGroupsIsABatch) {
  const auto kernel = gpuConvolution(strided(Direction::Forward, 2), operandTypes());
  const gpu::GemmShape& shape = std::get<gpu::BatchedGemm>(kernel).shape;
  expectShape(shape, 32, 8, 36);
  EXPECT_EQ(shape.batch, 2U);
}

TEST(GpuConvolution, OfSingleChannelsIsAPass) {
  const TensorTypes operands{{{2, 8, 9, 9}}, {{16, 1, 3, 3}}};
  const auto kernel =
      std::get<gpu::Elementwise>(gpuConvolution(strided(Direction::Forward, 8), operands));
  EXPECT_EQ(kernel.read, Bytes(4ULL * (2 * 8 * 81 + 16 * 9)));
  EXPECT_EQ(kernel.written, Bytes(4ULL * 2 * 16 * 16));
  EXPECT_EQ(kernel.flops, Flops(2ULL * 2 * 16 * 16 * 9));
}

}  // namespace
}  // namespace ipusim::workloads
