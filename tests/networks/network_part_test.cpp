// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/cuts/network_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {
namespace {

using testing::ElementsAre;

using NamedValues = std::unordered_map<std::size_t, TensorValues>;

/// The forward pass of a text with a loss.
NetworkGraph withLoss(const std::string& text) {
  TextNetwork network = readNetworkText(text, {2, {6}, ElementType::Float, NetworkMode::Training});
  const Shape rows{network.graph.shapeOf(network.result).front()};
  const NetworkTensorId labels =
      network.graph.addSource("labels", {rows, ElementType::UInt32}, TensorRole::Input);
  network.graph.add("loss", crossEntropyLoss(), {network.result, labels});
  return network.graph;
}

constexpr const char* kResidual =
    "linear 8; tanh; save in; linear 8; sigmoid; add in; linear 8; save in; linear 8; add in; "
    "linear 5";

std::vector<std::string> firstLayers(const NetworkGraph& graph) {
  std::vector<std::string> names;
  for (const NetworkModule& module : modulesOf(graph)) {
    names.push_back(layerOf(graph.nodes()[module.first_node]));
  }
  return names;
}

/// Values that belong to a name, so that equal sources of several graphs get equal ones.
TensorValues valuesOf(const NetworkTensor& tensor) {
  TensorValues values(elementsOf(tensor.type.shape));
  double seed = 0;
  for (const char letter : tensor.name) seed = std::fmod(seed * 1.7 + letter, 11);
  for (std::size_t e = 0; e < values.size(); ++e) {
    values[e] = tensor.type.type == ElementType::UInt32
                    ? static_cast<double>(e % 3)
                    : std::sin(seed + 1.3 * static_cast<double>(e)) / 2;
  }
  return values;
}

NamedValues sourcesOf(const NetworkGraph& graph) {
  NamedValues values;
  for (const TensorRole role : {TensorRole::Input, TensorRole::Parameter, TensorRole::Constant}) {
    for (const NetworkTensorId source : graph.tensorsOf(role)) {
      values[indexOf(source)] = valuesOf(graph[source]);
    }
  }
  return values;
}

using NamedGradients = std::map<std::string, TensorValues>;

NamedGradients gradientsOfWhole(NetworkGraph graph) {
  const NetworkTensorId loss = graph.nodes().back().results.front();
  const TensorGradients gradients = addBackward(graph, loss);
  const std::vector<TensorValues> all = evaluate(graph, sourcesOf(graph));
  NamedGradients named;
  for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
    named[graph[parameter].name] = all[indexOf(*gradients[indexOf(parameter)])];
  }
  return named;
}

/// The gradients that the modules compute one by one: first all forward passes, then all backward
/// passes from the last one on, each with what its neighbours send.
NamedGradients gradientsOfParts(const NetworkGraph& graph, bool recomputes) {
  const std::vector<NetworkModule> modules = modulesOf(graph);
  std::vector<NetworkPart> parts;
  std::vector<NamedValues> sources;
  TensorValues sent;
  for (std::size_t m = 0; m < modules.size(); ++m) {
    parts.push_back(partOf(graph, modules, m, m + 1, recomputes));
    const NetworkPart& part = parts.back();
    sources.push_back(sourcesOf(part.graph));
    if (part.x) sources.back()[indexOf(*part.x)] = sent;
    if (!part.result) break;
    sent = evaluate(part.graph, sources.back())[indexOf(*part.result)];
  }
  NamedGradients named;
  TensorValues returned;
  for (std::size_t m = modules.size(); m-- > 0;) {
    const NetworkPart& part = parts[m];
    if (part.gradient) sources[m][indexOf(*part.gradient)] = returned;
    const std::vector<TensorValues> all = evaluate(part.graph, sources[m]);
    for (const auto& [parameter, gradient] : part.gradients) {
      named[part.graph[parameter].name] = all[indexOf(gradient)];
    }
    if (part.x_gradient) returned = all[indexOf(*part.x_gradient)];
  }
  return named;
}

void expectEqual(const NamedGradients& found, const NamedGradients& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto& [name, values] : wanted) {
    ASSERT_EQ(found.count(name), 1U) << name;
    for (std::size_t e = 0; e < values.size(); ++e) {
      EXPECT_NEAR(found.at(name)[e], values[e], 1e-12) << name << " " << e;
    }
  }
}

TEST(NetworkModules, EndWhereOneTensorLeadsOn) {
  EXPECT_THAT(firstLayers(withLoss(kResidual)),
              ElementsAre("linear1", "tanh1", "linear2", "linear3", "linear4", "linear5", "loss"));
}

/// What stands before the first parameter has no gradient, and no module of its own.
TEST(NetworkModules, BeginWithParameters) {
  EXPECT_THAT(firstLayers(withLoss("relu; tanh; linear 5; relu")),
              ElementsAre("relu1", "relu2", "loss"));
}

/// Both products read one matrix, so that its gradient is a sum over them.
TEST(NetworkModules, AreNotCutBetweenReadersOfAParameter) {
  NetworkGraph graph;
  const auto x = graph.addSource("x", {{2, 6}}, TensorRole::Input);
  const auto weights = graph.addSource("weights", {{6, 6}}, TensorRole::Parameter);
  const auto other = graph.addSource("other", {{6, 6}}, TensorRole::Parameter);
  const auto labels = graph.addSource("labels", {{2}, ElementType::UInt32}, TensorRole::Input);
  const auto first = graph.add("first", matmul(), {x, weights});
  const auto middle = graph.add("middle", matmul(), {first, other});
  const auto last = graph.add("last", matmul(), {middle, weights});
  graph.add("loss", crossEntropyLoss(), {last, labels});
  EXPECT_THAT(firstLayers(graph), ElementsAre("first", "loss"));
}

TEST(NetworkParts, ComputeTheGradientsOfTheWhole) {
  const NetworkGraph graph = withLoss(kResidual);
  expectEqual(gradientsOfParts(graph, false), gradientsOfWhole(graph));
}

TEST(NetworkParts, ComputeTheSameAfterRecomputation) {
  const NetworkGraph graph = withLoss(kResidual);
  expectEqual(gradientsOfParts(graph, true), gradientsOfWhole(graph));
}

std::size_t countOf(const NetworkPart& part, NetworkPass pass) {
  const auto& nodes = part.graph.nodes();
  return static_cast<std::size_t>(std::count_if(
      nodes.begin(), nodes.end(), [pass](const NetworkNode& node) { return node.pass == pass; }));
}

/// The backward pass of the last module comes right after its forward pass.
TEST(NetworkParts, RecomputeAllModulesButTheLast) {
  const NetworkGraph graph = withLoss("linear 8; tanh; linear 5");
  const std::vector<NetworkModule> modules = modulesOf(graph);
  const NetworkPart first = partOf(graph, modules, 0, 2, true);
  EXPECT_GT(countOf(first, NetworkPass::Recomputation), 0U);
  EXPECT_EQ(countOf(partOf(graph, modules, 0, 2, false), NetworkPass::Recomputation), 0U);
  const std::size_t last = modules.size() - 1;
  EXPECT_EQ(countOf(partOf(graph, modules, last, last + 1, true), NetworkPass::Recomputation), 0U);
}

TEST(ContentOfModules, IsThatOfEqualOnesAlone) {
  const NetworkGraph graph =
      withLoss("linear 6; tanh; linear 6; tanh; linear 6; sigmoid; linear 5");
  const std::vector<NetworkModule> modules = modulesOf(graph);
  const auto content = [&](std::size_t m) {
    return contentOf(graph, modules[m].first_node, modules[m].last_node);
  };
  EXPECT_EQ(content(2), content(4));
  EXPECT_EQ(content(1), content(3));
  EXPECT_NE(content(1), content(5));
  EXPECT_NE(content(2), content(6));
}

}  // namespace
}  // namespace ipusim::workloads
