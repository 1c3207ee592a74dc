// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/config/config_reader.h"
#include "tests/onnx/onnx_builder.h"
#include "tests/onnx/whole_models.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {
namespace {

Flops productFlops(const NetworkGraph& graph) {
  Flops flops;
  for (const NetworkNode& node : graph.nodes()) {
    const std::string kind = node.operation->kind();
    if (kind != "conv" && kind != "matmul") continue;
    flops += node.operation->flops(graph.typesOf(node.operands));
  }
  return flops;
}

TEST(OnnxModels, ResNetIsThatOfItsText) {
  const OnnxNetwork file = networkOf(resnet50Bytes(), {{}, 2, false});
  const TextNetwork text =
      readNetworkText(readConfigText("configs/networks/resnet50.txt"),
                      {2, {3, 224, 224}, ElementType::Float, NetworkMode::Inference});
  EXPECT_EQ(parameterCount(file.graph), parameterCount(text.graph));
  EXPECT_EQ(productFlops(file.graph), productFlops(text.graph));
  EXPECT_EQ(file.graph.shapeOf(file.results.front()), (Shape{2, 1000}));
}

TEST(OnnxModels, AnEncoderHasItsShapesComputed) {
  const OnnxNetwork network =
      networkOf(encoderBytes({2, 64, 4, 100}), {{{"d1", 3}, {"d2", 7}}, 1, false});
  EXPECT_EQ(network.graph.shapeOf(network.results.front()), (Shape{3, 7, 64}));
  const std::uint64_t layer = 4 * (64 * 64 + 64) + 2 * 64 * 256 + 256 + 64 + 4 * 64;
  EXPECT_EQ(parameterCount(network.graph), 100U * 64 + 512 * 64 + 2 * 64 + 2 * layer);
}

TEST(OnnxModels, AnEncoderHasGradients) {
  OnnxNetwork network = networkOf(encoderBytes({1, 8, 2, 10}), {{{"d1", 2}, {"d2", 3}}, 1, true});
  NetworkGraph& graph = network.graph;
  const NetworkTensorId target =
      graph.addSource("target", graph[network.results.front()].type, TensorRole::Input);
  const NetworkTensorId loss =
      graph.add("loss", squaredErrorLoss(), {network.results.front(), target});
  const TensorGradients gradients = addBackward(graph, loss);
  for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
    EXPECT_TRUE(gradients[indexOf(parameter)]) << graph[parameter].name;
  }
}

// The files have no numbers of large weights, so that they stay small.
TEST(OnnxModels, TheFilesAreWrittenHere) {
  for (const auto& [path, wanted] :
       {std::pair{"configs/networks/mlp.onnx", mlpBytes()},
        std::pair{"tests/docs/unknown_operator.onnx", unknownOperatorBytes()}}) {
    if (std::getenv("IPUSIM_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << wanted;
    }
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(bytes, wanted) << path;
  }
}

TEST(OnnxModels, AUnetKeepsItsField) {
  const OnnxNetwork network = networkOf(unetBytes(), {{}, 3, false});
  EXPECT_EQ(network.graph.shapeOf(network.results.front()), (Shape{3, 1, 64, 64}));
}

}  // namespace
}  // namespace ipusim::workloads
