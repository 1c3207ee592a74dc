// SPDX-License-Identifier: Apache-2.0
#include "tests/compression/numbered_network.h"

#include <cmath>
#include <random>

#include "ipusim/ids.h"
#include "tests/compression/codec_case.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"
#include "workloads/networks/training/optimiser.h"
#include "workloads/sources/text/network_text.h"

namespace ipusim::workloads {

NumberedNetwork::NumberedNetwork(const std::string& text, const Shape& input, std::uint64_t batch,
                                 std::uint32_t seed)
    : loss_() {
  TextNetwork network =
      readNetworkText(text, {batch, input, ElementType::Float, NetworkMode::Training});
  graph_ = std::move(network.graph);
  const Shape& result = graph_.shapeOf(network.result);
  const NetworkTensorId labels =
      graph_.addSource("labels", {{result.front()}, ElementType::UInt32}, TensorRole::Input);
  loss_ = graph_.add("loss", crossEntropyLoss(), {network.result, labels});
  const TensorGradients gradients = addBackward(graph_, loss_);
  for (const NetworkTensorId parameter : graph_.tensorsOf(TensorRole::Parameter)) {
    if (gradients[indexOf(parameter)]) gradients_.push_back(*gradients[indexOf(parameter)]);
  }
  addUpdates(graph_, gradients, {OptimiserRule::Momentum, 0.01});
  std::mt19937 random(seed);
  for (std::size_t t = 0; t < graph_.tensors().size(); ++t) {
    const NetworkTensor& tensor = graph_.tensors()[t];
    if (tensor.role == TensorRole::Result) continue;
    TensorValues& values = sources_[t];
    const bool is_scale = tensor.name.find("scale") != std::string::npos;
    const double spread = 1 / std::sqrt(static_cast<double>(elementsOf(tensor.type.shape)) / 4 + 1);
    std::normal_distribution<double> draw(0, tensor.role == TensorRole::Input ? 1 : spread);
    for (std::uint64_t e = 0; e < elementsOf(tensor.type.shape); ++e) {
      if (tensor.role == TensorRole::State) {
        values.push_back(0);
      } else if (tensor.type.type == ElementType::UInt32) {
        values.push_back(static_cast<double>(e % result.back()));
      } else {
        values.push_back(is_scale ? 1 : draw(random));
      }
    }
  }
}

std::vector<TensorValues> NumberedNetwork::valuesOf(const NetworkGraph& graph) const {
  return evaluate(graph, sources_);
}

double NumberedNetwork::gradientError(const NetworkGraph& graph) const {
  const auto right = valuesOf(graph_);
  const auto found = valuesOf(graph);
  TensorValues a;
  TensorValues b;
  for (const NetworkTensorId gradient : gradients_) {
    a.insert(a.end(), right[indexOf(gradient)].begin(), right[indexOf(gradient)].end());
    b.insert(b.end(), found[indexOf(gradient)].begin(), found[indexOf(gradient)].end());
  }
  return relativeError(a, b);
}

void NumberedNetwork::set(NetworkTensorId source, TensorValues values) {
  sources_[indexOf(source)] = std::move(values);
}

double NumberedNetwork::learn(const NetworkGraph& graph) {
  const std::vector<TensorValues> values = valuesOf(graph);
  for (const NetworkNode& node : graph.nodes()) {
    if (node.pass != NetworkPass::Update) continue;
    sources_[indexOf(node.operands[0])] = values[indexOf(node.results[0])];
    for (std::size_t r = 1; r < node.results.size(); ++r) {
      sources_[indexOf(node.operands[r + 1])] = values[indexOf(node.results[r])];
    }
  }
  return values[indexOf(loss_)].front();
}

}  // namespace ipusim::workloads
