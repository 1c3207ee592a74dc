// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/layer_networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/networks/graph/counts.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"
#include "workloads/networks/training/optimiser.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;

std::vector<LayerNetwork> layersOf(const std::string& text, const Shape& input) {
  const TextNetwork network = readNetworkText(text, {2, input});
  return layerNetworks(network.graph, {network.result});
}

std::vector<LayerNetwork> trainedLayers(const std::string& text, const Shape& input) {
  TextNetwork network =
      readNetworkText(text, {2, input, ElementType::Float, NetworkMode::Training});
  NetworkGraph& graph = network.graph;
  const NetworkTensorId labels =
      graph.addSource("labels", {{2}, ElementType::UInt32}, TensorRole::Input);
  const NetworkTensorId loss = graph.add("loss", crossEntropyLoss(), {network.result, labels});
  addUpdates(graph, addBackward(graph, loss), {});
  return layerNetworks(graph, {loss});
}

std::vector<std::size_t> equalTo(const std::vector<LayerNetwork>& layers) {
  std::vector<std::size_t> equal;
  for (const LayerNetwork& layer : layers) equal.push_back(layer.equal_to);
  return equal;
}

std::vector<std::string> namesOf(const LayerNetwork& layer,
                                 const std::vector<NetworkTensorId>& tensors) {
  std::vector<std::string> names;
  for (const NetworkTensorId tensor : tensors) names.push_back(layer.graph[tensor].name);
  return names;
}

TEST(LayerNetworks, HaveTheNodesOfTheirLayer) {
  const auto layers = layersOf("linear 5; relu", {3});
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].name, "linear1");
  EXPECT_EQ(layers[0].graph.nodes().size(), 2U);  // a product and a bias
  EXPECT_THAT(namesOf(layers[0], layers[0].outputs), ElementsAre("linear1/add_bias"));
  EXPECT_EQ(layers[1].graph.nodes().size(), 1U);
}

TEST(LayerNetworks, ReadResultsOfOthersAsInputs) {
  const auto layers = layersOf("linear 5; relu", {3});
  EXPECT_THAT(namesOf(layers[1], layers[1].graph.tensorsOf(TensorRole::Input)),
              ElementsAre("linear1/add_bias"));
  EXPECT_EQ(parameterCount(layers[0].graph), 3U * 5 + 5);
}

TEST(LayerNetworks, KeepWhatALaterLayerReads) {
  const auto layers = layersOf("save a; tanh; save b; relu; add b; add a", {3});
  EXPECT_THAT(namesOf(layers[0], layers[0].outputs), ElementsAre("tanh1"));
  EXPECT_EQ(operandBytes(layers[2]), Bytes(4ULL * 3 * 6));  // two operands and a result
}

TEST(LayerNetworks, HaveTheBackwardPassAndTheUpdateOfTheirLayer) {
  const auto layers = trainedLayers("linear 5; relu; linear 4", {3});
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layers[3].name, "loss");
  for (const NetworkPass pass :
       {NetworkPass::Forward, NetworkPass::Backward, NetworkPass::Update}) {
    EXPECT_GT(flopsOf(layers[2].graph, pass), Flops(0));
  }
  // The gradient of the first product by its input is not needed.
  EXPECT_LT(flopsOf(layers[0].graph, NetworkPass::Backward),
            flopsOf(layers[2].graph, NetworkPass::Backward));
}

TEST(LayerNetworks, AreEqualWhereTheirStepsAre) {
  EXPECT_THAT(equalTo(layersOf("linear 3; linear 3; linear 4; linear 4", {3})),
              ElementsAre(0, 0, 2, 3));
  EXPECT_THAT(equalTo(layersOf("relu; tanh; relu", {3})), ElementsAre(0, 1, 0));
}

TEST(LayerNetworks, DifferInWhatTypesLeaveOpen) {
  EXPECT_THAT(
      equalTo(layersOf("conv 4 3 pad 1; conv 4 3 dilation 2 pad 2; conv 4 3 pad 1", {4, 8, 8})),
      ElementsAre(0, 1, 0));
  EXPECT_THAT(equalTo(layersOf("max_pool 3 stride 1 pad 1; average_pool 3 stride 1 pad 1; "
                               "max_pool 3 stride 1 pad 1",
                               {4, 8, 8})),
              ElementsAre(0, 1, 0));
  EXPECT_THAT(equalTo(layersOf("group_norm 2; group_norm 4; group_norm 2", {4, 8, 8})),
              ElementsAre(0, 1, 0));
}

TEST(LayerNetworks, DifferInWhoReadsTheirResults) {
  // The second product is trained behind another, and so needs the gradient of its input.
  const auto layers = trainedLayers("linear 4; linear 4; linear 4", {4});
  EXPECT_THAT(equalTo(layers), ElementsAre(0, 1, 1, 3));
}

TEST(LayerNetworks, OfAnUnknownOperationEqualThemselvesAlone) {
  class Unknown final : public Operation {
   public:
    [[nodiscard]] std::string kind() const override { return "unknown"; }
    [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override { return operands; }
    [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
    [[nodiscard]] std::vector<TensorValues> compute(
        const NumberedTensors& operands) const override {
      return {operands.front().values};
    }
  };
  NetworkGraph graph;
  NetworkTensorId x = graph.addSource("x", {{4}}, TensorRole::Input);
  const auto shared = std::make_shared<Unknown>();
  x = graph.add("a", shared, {x});
  x = graph.add("b", std::make_shared<Unknown>(), {x});
  x = graph.add("c", shared, {x});
  EXPECT_THAT(equalTo(layerNetworks(graph, {x})), ElementsAre(0, 1, 0));
}

}  // namespace
}  // namespace ipusim::workloads
