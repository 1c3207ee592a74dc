// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/network_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"
#include "workloads/networks/training/optimiser.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TextNetwork networkOf(const std::string& text, const Shape& input = {3, 8, 8},
                      NetworkMode mode = NetworkMode::Inference) {
  return readNetworkText(text, {2, input, ElementType::Float, mode});
}

Shape resultOf(const std::string& text, const Shape& input = {3, 8, 8}) {
  const TextNetwork network = networkOf(text, input);
  return network.graph.shapeOf(network.result);
}

std::vector<std::string> namesOf(const NetworkGraph& graph) {
  std::vector<std::string> names;
  for (const NetworkNode& node : graph.nodes()) names.push_back(node.name);
  return names;
}

TEST(NetworkText, HasOneStatementPerLineOrSemicolon) {
  EXPECT_THAT(namesOf(networkOf("relu; tanh # not; this\n\n relu").graph),
              ElementsAre("relu1", "tanh1", "relu2"));
}

TEST(NetworkText, NamesNodesByTheirLabels) {
  EXPECT_THAT(namesOf(networkOf("first: relu; repeat 2 { again: tanh }").graph),
              ElementsAre("first", "again", "again2"));
}

TEST(NetworkText, InfersTheShapesOfWindows) {
  EXPECT_EQ(resultOf("conv 5 3 stride 2 pad 1"), (Shape{2, 5, 4, 4}));
  EXPECT_EQ(resultOf("conv 5 3x1 pad 0x1"), (Shape{2, 5, 6, 10}));
  EXPECT_EQ(resultOf("conv 6 3 dilation 2 groups 3 bias no"), (Shape{2, 6, 4, 4}));
  EXPECT_EQ(resultOf("max_pool 2"), (Shape{2, 3, 4, 4}));
  EXPECT_EQ(resultOf("average_pool 3 stride 1"), (Shape{2, 3, 6, 6}));
  EXPECT_EQ(resultOf("conv_transpose 4 2 stride 2"), (Shape{2, 4, 16, 16}));
  EXPECT_EQ(resultOf("global_average_pool; linear 3 7"), (Shape{2, 7}));
}

std::uint64_t parametersOf(const std::string& text, const Shape& input) {
  return parameterCount(networkOf(text, input).graph);
}

TEST(NetworkText, HasStructuredLayersInThePlaceOfALinearOne) {
  const Shape input{16};
  for (const char* layer :
       {"linear", "butterfly", "circulant", "fastfood", "low_rank", "pixelfly"}) {
    EXPECT_EQ(resultOf(std::string(layer) + " 16", input), (Shape{2, 16})) << layer;
    EXPECT_EQ(resultOf(std::string(layer) + " 16 16 bias no", {5, 16}), (Shape{2, 5, 16})) << layer;
  }
  EXPECT_EQ(parametersOf("butterfly 16", input), (16 - 1) * 4 + 16);
  EXPECT_EQ(parametersOf("butterfly 16 twiddles untied bias no", input), 4 * 8 * 4);
  EXPECT_EQ(parametersOf("circulant 16", input), 16 + 16);
  EXPECT_EQ(parametersOf("fastfood 16", input), 3 * 16 + 16);
  EXPECT_EQ(parametersOf("low_rank 8 rank 3", input), 3 * (16 + 8) + 8);
  // A row of four blocks has log2(4) + 1 of them.
  EXPECT_EQ(parametersOf("pixelfly 16 block 4 rank 2", input), 4 * 3 * 16 + 2 * 2 * 16 + 16);
}

TEST(NetworkText, InfersTheShapesOfSequences) {
  EXPECT_EQ(resultOf("embedding 100 12; add_positions 9; attention 3", {7}), (Shape{2, 7, 12}));
  EXPECT_EQ(resultOf("to_tokens; class_token; first_token"), (Shape{2, 3}));
}

TEST(NetworkText, JoinsSavedResults) {
  EXPECT_EQ(resultOf("save a; relu; save b; concat a; concat b"), (Shape{2, 9, 8, 8}));
  EXPECT_EQ(resultOf("save a; conv 5 3; from a; add a; multiply a"), (Shape{2, 3, 8, 8}));
}

TEST(NetworkText, DropsInTrainingAlone) {
  EXPECT_EQ(networkOf("dropout 0.5").graph.nodes().size(), 0U);
  EXPECT_EQ(networkOf("dropout 0.5", {4}, NetworkMode::Training).graph.nodes().size(), 1U);
}

struct Mistake {
  std::string text;
  std::size_t line;
  std::string message;
};

class NetworkTextMistake : public testing::TestWithParam<Mistake> {};

TEST_P(NetworkTextMistake, IsToldWithItsLine) {
  try {
    networkOf(GetParam().text);
    FAIL() << "no error";
  } catch (const StatementError& error) {
    EXPECT_EQ(error.line, GetParam().line);
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, NetworkTextMistake,
    testing::Values(
        Mistake{"", 1, "wanted a layer, found the end of the text"},
        Mistake{"relu\nrellu", 2, "did you mean relu?"},
        Mistake{"conv", 1, "conv: wanted out channels, found the end of the statement"},
        Mistake{"conv 4 3x3x3", 1, "kernel: a number from 1, or 2 of them"},
        Mistake{"conv 4 3 padding 1", 1, "wanted stride, pad, dilation, groups, bias or nothing"},
        Mistake{"conv 4 3 pad", 1, "wanted a value of pad"},
        Mistake{"conv 4 9", 1, "a field of at least 9 in dimension 0"},
        Mistake{"conv 4 3 groups 2", 1, "groups that divide 3 channels"},
        Mistake{"relu\nlinear 7 4", 2,
                "wanted 7 inputs of layer linear1, found 8, the last dimension of (2, 3, 8, 8)"},
        Mistake{"relu\nhead: linear 7 4", 2, "wanted 7 inputs of layer head, found 8"},
        Mistake{"butterfly 16", 1, "as many outputs as inputs, 8, because its matrix is square"},
        Mistake{"linear 12; fastfood 12", 1, "a power of two from 2 on, found 12"},
        Mistake{"pixelfly 8 block 3", 1, "block: a divisor of 8, found 3"},
        Mistake{"low_rank 9 rank 9", 1, "rank: at most 8, found 9"},
        Mistake{"butterfly 8 twiddles tide", 1, "did you mean tied?"},
        Mistake{"circulant 8 rank 2", 1, "wanted bias or nothing"},
        Mistake{"pixelfly 8 block 2 rank 9", 1, "rank: at most 8, found 9"},
        Mistake{"relu 3", 1, "wanted the end of the statement, found \"3\""},
        Mistake{"dropout 1", 1, "a rate from 0 to below 1"},
        Mistake{"save a; add b", 1, "a name that was saved"},
        Mistake{"save a; conv 5 3; add a", 1, "shapes whose dimensions are equal or 1"},
        Mistake{"repeat 2 relu", 1, "found \"relu\""}, Mistake{"repeat 2", 1, "a block"},
        Mistake{"relu { }", 1, "no block"}, Mistake{"repeat 2 { relu", 1, "a '}'"},
        Mistake{"relu }", 1, "wanted a statement"},
        Mistake{"repeat 1000 { repeat 1000 { relu } }", 1, "at most 100000 statements"},
        Mistake{"attention 3", 1, "heads that divide a width of 8"}, Mistake{"\x01", 1, "\\x01"}));

/// A forward pass with two layers, its loss and its gradients.
struct Trained {
  explicit Trained(const std::string& text) : network(networkOf(text, {4})) {
    NetworkGraph& graph = network.graph;
    const NetworkTensorId labels =
        graph.addSource("labels", {{2}, ElementType::UInt32}, TensorRole::Input);
    const NetworkTensorId loss = graph.add("loss", crossEntropyLoss(), {network.result, labels});
    gradients = addBackward(graph, loss);
  }

  TextNetwork network;
  TensorGradients gradients;
};

std::vector<std::string> savedNames(const NetworkGraph& graph) {
  std::vector<std::string> names;
  for (const NetworkTensorId saved : savedTensors(graph)) names.push_back(graph[saved].name);
  return names;
}

TEST(SavedTensors, AreWhatTheBackwardPassReads) {
  // A relu keeps its result, which is also the operand of the next product.
  const Trained trained("linear 5; relu; linear 5; tanh; linear 3");
  EXPECT_THAT(savedNames(trained.network.graph), ElementsAre("relu1", "tanh1", "loss:1"));
  EXPECT_EQ(savedBytes(trained.network.graph), 4 * Bytes(10 + 10 + 6));
}

TEST(SavedTensors, AreFewerWithRecomputation) {
  const Trained trained("linear 5; relu; linear 5; tanh; linear 3");
  const NetworkGraph& graph = trained.network.graph;
  const auto is_kept = [&graph](NetworkTensorId tensor) {
    return graph[tensor].name == "relu1" || graph[tensor].name == "loss:1";
  };
  const NetworkGraph again = withRecomputation(graph, is_kept);
  EXPECT_THAT(savedNames(again), ElementsAre("relu1", "loss:1"));
  std::vector<std::string> recomputed;
  for (const NetworkNode& node : again.nodes()) {
    if (node.pass == NetworkPass::Recomputation) recomputed.push_back(node.name);
  }
  EXPECT_THAT(recomputed, ElementsAre("linear2/again", "linear2/add_bias/again", "tanh1/again"));
}

std::unordered_map<std::size_t, TensorValues> syntheticSources(const NetworkGraph& graph) {
  std::unordered_map<std::size_t, TensorValues> sources;
  for (std::size_t t = 0; t < graph.tensors().size(); ++t) {
    const NetworkTensor& tensor = graph.tensors()[t];
    if (tensor.role == TensorRole::Result) continue;
    TensorValues& values = sources[t];
    for (std::uint64_t e = 0; e < elementsOf(tensor.type.shape); ++e) {
      const bool is_class = tensor.type.type == ElementType::UInt32;
      values.push_back(is_class ? 1 : 0.1 * static_cast<double>((7 * e + t) % 11) - 0.5);
    }
  }
  return sources;
}

TEST(Recomputation, LeavesTheGradientsAsTheyAre) {
  const Trained trained("linear 5; relu; linear 5; tanh; linear 3");
  const NetworkGraph& graph = trained.network.graph;
  const NetworkGraph again = withRecomputation(graph, [](NetworkTensorId) { return false; });
  const std::vector<TensorValues> before = evaluate(graph, syntheticSources(graph));
  const std::vector<TensorValues> after = evaluate(again, syntheticSources(graph));
  for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
    const std::size_t gradient = indexOf(*trained.gradients[indexOf(parameter)]);
    EXPECT_EQ(before[gradient], after[gradient]);
  }
}

TEST(Optimisers, FollowTheirRules) {
  for (const auto& [rule, word] : kOptimiserRules) {
    NetworkGraph graph;
    const NetworkTensorId w = graph.addSource("w", {{1}}, TensorRole::Parameter);
    const NetworkTensorId target = graph.addSource("target", {{1}}, TensorRole::Input);
    const NetworkTensorId loss = graph.add("loss", squaredErrorLoss(), {w, target});
    Optimiser optimiser;
    optimiser.rule = rule;
    optimiser.rate = 0.5;
    optimiser.trust = 0.25;
    addUpdates(graph, addBackward(graph, loss), optimiser);
    std::unordered_map<std::size_t, TensorValues> sources{{0, {3}}, {1, {1}}};
    for (const NetworkTensorId state : graph.tensorsOf(TensorRole::State)) {
      sources[indexOf(state)] = {1};
    }
    const auto updated = evaluate(graph, sources)[indexOf(graph.nodes().back().results[0])];
    // The slope is 2 (3 - 1) = 4; the momentum is 0.9 of 1 and more.
    const double adam = (0.9 + 0.1 * 4) / (std::sqrt(0.999 + 0.001 * 16) + 1e-8);
    const std::map<OptimiserRule, double> expected{
        {OptimiserRule::Sgd, 3 - 0.5 * 4},
        {OptimiserRule::Momentum, 3 - 0.5 * (0.9 + 4)},
        {OptimiserRule::Lars, 3 - (0.9 + 0.5 * 0.25 * 3 / 4.0 * 4)},
        {OptimiserRule::Adam, 3 - 0.5 * adam},
        {OptimiserRule::Lamb, 3 - 0.5 * 3 / adam * adam}};
    EXPECT_NEAR(updated.front(), expected.at(rule), 1e-12) << word;
  }
}

}  // namespace
}  // namespace ipusim::workloads
