// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
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

/// How a network has the numbers beside its tensors.
enum class NumberForm { Operation, Constant };
constexpr std::array<NumberForm, 2> kNumberForms{NumberForm::Operation, NumberForm::Constant};

/// Statements with a number, in one of the forms that sources of networks give them.
class BuiltOfNumbers : public Built {
 public:
  explicit BuiltOfNumbers(NumberForm form) : Built({3, 4}), form_(form) {}

  NetworkTensorId plus(NetworkTensorId a, double value) {
    return form_ == NumberForm::Operation ? add(withNumber(BinaryOp::Add, value), {a})
                                          : sum(number(value), a);
  }
  NetworkTensorId times(NetworkTensorId a, double value) {
    return form_ == NumberForm::Operation ? add(scale(value), {a}) : product(a, number(value));
  }
  NetworkTensorId over(NetworkTensorId a, double value) {
    return form_ == NumberForm::Operation ? add(withNumber(BinaryOp::Divide, value), {a})
                                          : add(binary(BinaryOp::Divide), {a, number(value)});
  }
  NetworkTensorId power(NetworkTensorId a, double value) {
    return form_ == NumberForm::Operation ? add(withNumber(BinaryOp::Power, value), {a})
                                          : add(binary(BinaryOp::Power), {a, number(value)});
  }
  NetworkTensorId apply(UnaryFunction function, NetworkTensorId a) {
    return add(unary(function), {a});
  }
  NetworkTensorId mean(NetworkTensorId of) {
    return add(reduce(ReductionFunction::Mean, {1}, ReducedAxes::Kept), {of});
  }

 private:
  NumberForm form_;
};

constexpr double kExact = 1e-12;
/// The number of an operation is rounded to a float, as tiles hold it.
constexpr double kRoundedNumber = 1e-7;
constexpr double kNormed = 1e-9;

/// Expects that a pass finds one operation of a kind, and nothing else is left.
void expectRecognised(Built& net, std::uint64_t (*pass)(PassedNetwork&), const std::string& kind,
                      double tolerance) {
  const TensorValues before = numbersOfResult(net.network);
  EXPECT_EQ(pass(net.network), 1U);
  EXPECT_EQ(kindsIn(net.network), std::vector<std::string>{kind});
  expectSameNumbers(numbersOfResult(net.network), before, tolerance);
}

/// Where the half of a gelu stands.
enum class HalfOf { Product, Operand, Bend };

/// x (1 + erf(x / root)) / 2, as exporters write it.
BuiltOfNumbers smallGelu(NumberForm form, HalfOf half, double root) {
  BuiltOfNumbers net(form);
  const auto halved = [&](NetworkTensorId a, HalfOf place) {
    return half == place ? net.times(a, 0.5) : a;
  };
  const NetworkTensorId erf = net.apply(UnaryFunction::ErrorFunction, net.over(net.x, root));
  const NetworkTensorId bend = halved(net.plus(erf, 1), HalfOf::Bend);
  net.finish(halved(net.product(halved(net.x, HalfOf::Operand), bend), HalfOf::Product));
  return net;
}

TEST(GraphPasses, RecogniseTheGeluOfAnErrorFunction) {
  for (const NumberForm form : kNumberForms) {
    for (const HalfOf half : {HalfOf::Product, HalfOf::Operand, HalfOf::Bend}) {
      BuiltOfNumbers net = smallGelu(form, half, std::sqrt(2.0));
      expectRecognised(net, recogniseGelus, "gelu",
                       form == NumberForm::Operation ? kRoundedNumber : kExact);
    }
  }
}

TEST(GraphPasses, LeaveOtherFunctionsOfAnErrorFunction) {
  PassedNetwork network = smallGelu(NumberForm::Operation, HalfOf::Product, 2).network;
  EXPECT_EQ(recogniseGelus(network), 0U);
  EXPECT_EQ(nodesOfKind(network, "erf"), 1U);
}

TEST(GraphPasses, LeaveAGeluWhoseInsideIsReadElsewhere) {
  BuiltOfNumbers net(NumberForm::Operation);
  const NetworkTensorId inner = net.over(net.x, std::sqrt(2.0));
  const NetworkTensorId bend = net.plus(net.apply(UnaryFunction::ErrorFunction, inner), 1);
  net.finish(net.sum(net.times(net.product(net.x, bend), 0.5), inner));
  EXPECT_EQ(recogniseGelus(net.network), 0U);
}

/// How the third power inside a gelu is written.
enum class CubeForm { Products, Power, InsideProduct };

/// The argument of the tanh without its factor: x + 0.044715 x^3.
NetworkTensorId bentArgument(BuiltOfNumbers& net, CubeForm form) {
  const NetworkTensorId square = net.product(net.x, net.x);
  if (form == CubeForm::InsideProduct) {
    return net.product(net.x, net.plus(net.times(square, 0.044715), 1));
  }
  const NetworkTensorId cube =
      form == CubeForm::Power ? net.power(net.x, 3) : net.product(square, net.x);
  return net.sum(net.x, net.times(cube, 0.044715));
}

TEST(GraphPasses, RecogniseTheGeluOfATanh) {
  for (const NumberForm form : kNumberForms) {
    for (const CubeForm cube : {CubeForm::Products, CubeForm::Power, CubeForm::InsideProduct}) {
      BuiltOfNumbers net(form);
      const NetworkTensorId argument = net.times(bentArgument(net, cube), std::sqrt(2 / M_PI));
      const NetworkTensorId tanh = net.apply(UnaryFunction::Tanh, argument);
      net.finish(net.product(net.times(net.x, 0.5), net.plus(tanh, 1)));
      expectRecognised(net, recogniseGelus, "gelu_tanh", kExact);
    }
  }
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

TEST(GraphPasses, RecogniseASilu) {
  for (const bool is_first : {true, false}) {
    Built net({3, 4});
    const NetworkTensorId gate = net.add(unary(UnaryFunction::Sigmoid), {net.x});
    net.finish(is_first ? net.product(gate, net.x) : net.product(net.x, gate));
    expectRecognised(net, recogniseSilus, "silu", kExact);
  }
}

TEST(GraphPasses, LeaveTheGateOfAnotherTensor) {
  Built net({3, 4});
  const NetworkTensorId gate = net.add(unary(UnaryFunction::Sigmoid), {net.x});
  net.finish(net.product(net.add(unary(UnaryFunction::Tanh), {net.x}), gate));
  EXPECT_EQ(recogniseSilus(net.network), 0U);
}

TEST(GraphPasses, LeaveAGateThatIsReadElsewhere) {
  Built net({3, 4});
  const NetworkTensorId gate = net.add(unary(UnaryFunction::Sigmoid), {net.x});
  net.finish(net.sum(net.product(net.x, gate), gate));
  EXPECT_EQ(recogniseSilus(net.network), 0U);
}

/// A layer norm of small operations, whose square is a power or a product. `centred` is x - mean.
NetworkTensorId smallNorm(BuiltOfNumbers& net, bool has_power, NetworkTensorId centred) {
  const NetworkTensorId square = has_power ? net.power(centred, 2) : net.product(centred, centred);
  const NetworkTensorId root =
      net.apply(UnaryFunction::SquareRoot, net.plus(net.mean(square), 1e-5));
  const NetworkTensorId whitened = net.add(binary(BinaryOp::Divide), {centred, root});
  return net.sum(net.product(whitened, net.parameter("scale", {4})), net.parameter("bias", {4}));
}

NetworkTensorId centredIn(BuiltOfNumbers& net) {
  return net.add(binary(BinaryOp::Subtract), {net.x, net.mean(net.x)});
}

TEST(GraphPasses, RecogniseALayerNorm) {
  for (const NumberForm form : kNumberForms) {
    for (const bool has_power : {false, true}) {
      BuiltOfNumbers net(form);
      net.finish(smallNorm(net, has_power, centredIn(net)));
      expectRecognised(net, recogniseLayerNorms, "layer_norm", kNormed);
    }
  }
}

TEST(GraphPasses, LeaveALayerNormWhoseInsideIsReadElsewhere) {
  for (const bool has_power : {false, true}) {
    BuiltOfNumbers net(NumberForm::Operation);
    const NetworkTensorId centred = centredIn(net);
    net.finish(net.sum(smallNorm(net, has_power, centred), centred));
    EXPECT_EQ(recogniseLayerNorms(net.network), 0U);
  }
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

TEST(GraphPasses, RecogniseLayersBeforeTheyChangeThem) {
  bool is_changing = false;
  for (const GraphPass& pass : graphPasses()) {
    const bool recognises = pass.effect == PassEffect::Recognises;
    EXPECT_FALSE(recognises && is_changing) << pass.name;
    is_changing = !recognises;
  }
}

// PopTorch hands norms, factors and products on as they are; its gelu is that of a tanh.
TEST(GraphPasses, DependOnTheFrontEnd) {
  for (const GraphPass& pass : graphPasses()) {
    EXPECT_EQ(pass.isDefault(FrontEnd::PyTorch, false), std::string(pass.name) == "gelu_tanh");
    EXPECT_TRUE(pass.isDefault(FrontEnd::Onnx, false)) << pass.name;
    EXPECT_FALSE(pass.effect == PassEffect::FoldsParameters && pass.isDefault(FrontEnd::Text, true))
        << pass.name;
  }
}

}  // namespace
}  // namespace ipusim::workloads
