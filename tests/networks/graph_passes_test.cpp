// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {
namespace {

using models::BinaryOp;

std::vector<std::string> kindsIn(const PassedNetwork& network) {
  std::vector<std::string> kinds;
  for (const NetworkNode& node : network.graph.nodes()) kinds.push_back(node.operation->kind());
  return kinds;
}

std::size_t nodesOfKind(const PassedNetwork& network, const std::string& kind) {
  const std::vector<std::string> kinds = kindsIn(network);
  return static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), kind));
}

/// Numbers between -1 and 1 that depend on the name of a source, which passes keep.
TensorValues numbersForSource(const NetworkTensor& source) {
  if (!source.values.empty()) return source.values;
  TensorValues values;
  double number = 0;
  for (const char letter : source.name) number += letter;
  for (std::uint64_t e = 0; e < elementsOf(source.type.shape); ++e) {
    values.push_back(std::sin(number + 1.3 * static_cast<double>(e)));
  }
  return values;
}

TensorValues numbersOfResult(const PassedNetwork& network) {
  std::unordered_map<std::size_t, TensorValues> sources;
  for (std::size_t t = 0; t < network.graph.tensors().size(); ++t) {
    const NetworkTensor& tensor = network.graph.tensors()[t];
    if (tensor.role != TensorRole::Result) sources.emplace(t, numbersForSource(tensor));
  }
  return evaluate(network.graph, sources)[indexOf(network.results.front())];
}

void expectSameNumbers(const TensorValues& a, const TensorValues& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t e = 0; e < a.size(); ++e) EXPECT_NEAR(a[e], b[e], tolerance);
}

/// Builds a network of one input, statement by statement.
class Built {
 public:
  explicit Built(const Shape& input)
      : x(network.graph.addSource("x", {input, ElementType::Float}, TensorRole::Input)) {}

  NetworkTensorId add(OperationPointer operation, const std::vector<NetworkTensorId>& operands) {
    const std::string name = "node" + std::to_string(nodes_++);
    return network.graph.add(name, std::move(operation), operands);
  }
  NetworkTensorId sum(NetworkTensorId a, NetworkTensorId b) {
    return add(binary(BinaryOp::Add), {a, b});
  }
  NetworkTensorId product(NetworkTensorId a, NetworkTensorId b) {
    return add(binary(BinaryOp::Multiply), {a, b});
  }
  NetworkTensorId parameter(const std::string& name, const Shape& shape) {
    return network.graph.addSource(name, {shape, ElementType::Float}, TensorRole::Parameter);
  }
  NetworkTensorId number(double value) {
    return network.graph.addConstant("number" + std::to_string(nodes_++), {{1}, ElementType::Float},
                                     {value});
  }
  void finish(NetworkTensorId result) { network.results = {result}; }

  PassedNetwork network;
  NetworkTensorId x;

 private:
  int nodes_ = 0;
};

enum class GeluForm { FactorLast, FactorFirst };

/// x (1 + erf(x / sqrt 2)) / 2, as exporters write it.
PassedNetwork smallGelu(GeluForm form, double inner) {
  Built net({3, 4});
  const NetworkTensorId erf =
      net.add(unary(UnaryFunction::ErrorFunction), {net.add(scale(inner), {net.x})});
  const NetworkTensorId one_more = net.sum(erf, net.number(1));
  net.finish(form == GeluForm::FactorLast ? net.add(scale(0.5), {net.product(net.x, one_more)})
                                          : net.product(net.add(scale(0.5), {net.x}), one_more));
  return net.network;
}

TEST(GraphPasses, RecogniseTheGeluOfAnErrorFunction) {
  for (const GeluForm form : {GeluForm::FactorLast, GeluForm::FactorFirst}) {
    PassedNetwork network = smallGelu(form, std::sqrt(0.5));
    const TensorValues before = numbersOfResult(network);
    EXPECT_EQ(recogniseGelus(network), 1U);
    EXPECT_EQ(kindsIn(network), std::vector<std::string>{"gelu"});
    expectSameNumbers(numbersOfResult(network), before, 1e-12);
  }
}

TEST(GraphPasses, LeaveOtherFunctionsOfAnErrorFunction) {
  PassedNetwork network = smallGelu(GeluForm::FactorLast, 0.5);
  EXPECT_EQ(recogniseGelus(network), 0U);
  EXPECT_EQ(nodesOfKind(network, "erf"), 1U);
}

TEST(GraphPasses, RecogniseTheGeluOfATanh) {
  Built net({3, 4});
  const NetworkTensorId cube = net.product(net.x, net.product(net.x, net.x));
  const NetworkTensorId inner = net.sum(net.x, net.add(scale(0.044715), {cube}));
  const NetworkTensorId tanh =
      net.add(unary(UnaryFunction::Tanh), {net.add(scale(std::sqrt(2 / M_PI)), {inner})});
  net.finish(net.product(net.add(scale(0.5), {net.x}), net.sum(tanh, net.number(1))));
  const TensorValues before = numbersOfResult(net.network);
  EXPECT_EQ(recogniseGelus(net.network), 1U);
  EXPECT_EQ(kindsIn(net.network), std::vector<std::string>{"gelu_tanh"});
  expectSameNumbers(numbersOfResult(net.network), before, 1e-12);
}

// The two functions differ by less than a thousandth between -3 and 3.
TEST(GraphPasses, ApproximateAGelu) {
  Built net({3, 4});
  net.finish(net.add(unary(UnaryFunction::Gelu), {net.x}));
  const TensorValues before = numbersOfResult(net.network);
  EXPECT_EQ(approximateGelus(net.network), 1U);
  EXPECT_EQ(kindsIn(net.network), std::vector<std::string>{"gelu_tanh"});
  expectSameNumbers(numbersOfResult(net.network), before, 1e-3);
}

TEST(GraphPasses, RecogniseALayerNorm) {
  Built net({3, 4});
  const auto mean = [&](NetworkTensorId of) {
    return net.add(reduce(ReductionFunction::Mean, {1}, ReducedAxes::Kept), {of});
  };
  const NetworkTensorId centred = net.add(binary(BinaryOp::Subtract), {net.x, mean(net.x)});
  const NetworkTensorId variance = mean(net.product(centred, centred));
  const NetworkTensorId root =
      net.add(unary(UnaryFunction::SquareRoot), {net.sum(variance, net.number(1e-5))});
  const NetworkTensorId whitened = net.add(binary(BinaryOp::Divide), {centred, root});
  net.finish(
      net.sum(net.product(whitened, net.parameter("scale", {4})), net.parameter("bias", {4})));
  const TensorValues before = numbersOfResult(net.network);
  EXPECT_EQ(recogniseLayerNorms(net.network), 1U);
  EXPECT_EQ(kindsIn(net.network), std::vector<std::string>{"layer_norm"});
  expectSameNumbers(numbersOfResult(net.network), before, 1e-9);
}

/// A convolution and a batch norm with given statistics.
PassedNetwork normedConvolution(bool reads_convolution_twice) {
  Built net({1, 2, 3, 3});
  const NetworkTensorId y = net.add(convolution({WindowMotion::plain(2)}),
                                    {net.x, net.parameter("kernel", {4, 2, 1, 1})});
  const auto statistic = [&](const char* name) {
    return net.network.graph.addSource(name, {{4}, ElementType::Float}, TensorRole::Constant);
  };
  const NetworkTensorId normed =
      net.add(batchNormInference(1e-5), {y, net.parameter("scale", {4}), net.parameter("bias", {4}),
                                         statistic("mean"), statistic("variance")});
  net.finish(reads_convolution_twice ? net.sum(normed, y) : normed);
  return net.network;
}

TEST(GraphPasses, FoldABatchNormIntoItsConvolution) {
  PassedNetwork network = normedConvolution(false);
  EXPECT_EQ(foldBatchNorms(network), 1U);
  EXPECT_EQ(kindsIn(network), (std::vector<std::string>{"conv", "reshape", "add"}));
  EXPECT_EQ(network.graph.tensorsOf(TensorRole::Parameter).size(), 2U);
  EXPECT_TRUE(network.graph.tensorsOf(TensorRole::Constant).empty());
}

TEST(GraphPasses, KeepABatchNormWhereTheConvolutionIsReadTwice) {
  PassedNetwork network = normedConvolution(true);
  EXPECT_EQ(foldBatchNorms(network), 0U);
  EXPECT_EQ(nodesOfKind(network, "batch_norm_inference"), 1U);
}

/// An attention of one head of 4, with a product for the values that reads `values`.
class BuiltAttention : public Built {
 public:
  BuiltAttention() : Built({2, 3, 4}) {}

  NetworkTensorId projection(const std::string& name, NetworkTensorId of) {
    return sum(add(matmul(), {of, parameter(name + " weights", {4, 4})}),
               parameter(name + " bias", {4}));
  }
  void finishWith(NetworkTensorId values) {
    const NetworkTensorId scores = add(matmul({ProductOperand::Plain, ProductOperand::Transposed}),
                                       {projection("query", x), projection("key", x)});
    const NetworkTensorId likely = add(softmax(2), {add(scale(0.5), {scores})});
    finish(add(matmul(), {likely, projection("value", values)}));
  }
};

TEST(GraphPasses, FoldTheFactorOfScoresIntoWeights) {
  BuiltAttention net;
  net.finishWith(net.x);
  EXPECT_EQ(scaleWeights(net.network), 1U);
  EXPECT_EQ(nodesOfKind(net.network, "scale"), 0U);
}

TEST(GraphPasses, FuseTheProductsOfAnAttention) {
  BuiltAttention net;
  net.finishWith(net.x);
  EXPECT_EQ(fuseQkv(net.network), 1U);
  EXPECT_EQ(nodesOfKind(net.network, "matmul"), 3U);
  EXPECT_EQ(nodesOfKind(net.network, "slice"), 3U);
  EXPECT_EQ(nodesOfKind(net.network, "add"), 1U);
  const std::vector<NetworkTensorId> parameters =
      net.network.graph.tensorsOf(TensorRole::Parameter);
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(net.network.graph.shapeOf(parameters[0]), (Shape{4, 12}));
  EXPECT_EQ(net.network.graph.shapeOf(parameters[1]), (Shape{12}));
}

TEST(GraphPasses, KeepTheProductsOfDifferentTensors) {
  BuiltAttention net;
  net.finishWith(net.add(unary(UnaryFunction::Relu), {net.x}));
  EXPECT_EQ(fuseQkv(net.network), 0U);
}

// PopTorch hands norms, factors and products on as they are; its gelu is that of a tanh.
TEST(GraphPasses, DependOnTheFrontEnd) {
  for (const GraphPass& pass : graphPasses()) {
    EXPECT_EQ(pass.isDefault(FrontEnd::PyTorch, false), std::string(pass.name) == "gelu_tanh");
    EXPECT_TRUE(pass.isDefault(FrontEnd::Onnx, false)) << pass.name;
    EXPECT_FALSE(pass.folds_parameters && pass.isDefault(FrontEnd::Text, true)) << pass.name;
  }
}

}  // namespace
}  // namespace ipusim::workloads
