// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/layer_networks.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/counts.h"

namespace ipusim::workloads {

namespace {

constexpr std::size_t kNoLayer = static_cast<std::size_t>(-1);

/// The layer of each node of a network, and who reads each tensor.
class LayerSplit {
 public:
  LayerSplit(const NetworkGraph& network, const std::vector<NetworkTensorId>& results)
      : network_(network),
        maker_(network.tensors().size(), kNoLayer),
        is_output_(network.tensors().size(), false) {
    for (const NetworkTensorId result : results) is_output_[indexOf(result)] = true;
    for (const NetworkNode& node : network.nodes()) add(node);
  }

  std::vector<LayerNetwork> layers() const {
    std::vector<LayerNetwork> layers;
    for (std::size_t l = 0; l < names_.size(); ++l) layers.push_back(layerNetwork(l));
    return layers;
  }

 private:
  void add(const NetworkNode& node) {
    const auto [found, is_new] = by_name_.emplace(layerOf(node), names_.size());
    const std::size_t layer = found->second;
    if (is_new) {
      names_.push_back(found->first);
      nodes_.emplace_back();
    }
    nodes_[layer].push_back(&node);
    for (const NetworkTensorId operand : node.operands) {
      const std::size_t made_by = maker_[indexOf(operand)];
      if (made_by != kNoLayer && made_by != layer) is_output_[indexOf(operand)] = true;
    }
    for (const NetworkTensorId made : node.results) maker_[indexOf(made)] = layer;
  }

  [[nodiscard]] LayerNetwork layerNetwork(std::size_t layer) const {
    std::deque<NetworkTensor> tensors;
    std::deque<NetworkNode> nodes;
    std::vector<NetworkTensorId> outputs;
    std::unordered_map<std::size_t, NetworkTensorId> copies;
    const auto copy_of = [&](NetworkTensorId tensor) {
      const auto [found, is_new] =
          copies.emplace(indexOf(tensor), static_cast<NetworkTensorId>(tensors.size()));
      if (is_new) {
        tensors.push_back(network_[tensor]);
        const std::size_t made_by = maker_[indexOf(tensor)];
        if (made_by != kNoLayer && made_by != layer) tensors.back().role = TensorRole::Input;
      }
      return found->second;
    };
    for (const NetworkNode* node : nodes_[layer]) {
      NetworkNode copy = *node;
      for (NetworkTensorId& operand : copy.operands) operand = copy_of(operand);
      for (NetworkTensorId& made : copy.results) {
        const bool is_output = is_output_[indexOf(made)];
        made = copy_of(made);
        if (is_output) outputs.push_back(made);
      }
      nodes.push_back(std::move(copy));
    }
    return {names_[layer],
            {std::move(tensors), std::move(nodes), network_.products()},
            std::move(outputs),
            layer};
  }

  const NetworkGraph& network_;
  std::vector<std::size_t> maker_;  ///< by tensor: the layer whose result it is
  std::vector<bool> is_output_;     ///< by tensor: another layer or the user reads it
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<std::vector<const NetworkNode*>> nodes_;  ///< by layer
};

std::string textOfTensor(const NetworkTensor& tensor) {
  return fmt::format("{} {} {}\n", textOf(tensor.type.shape), nameOf(tensor.type.type),
                     static_cast<int>(tensor.role));
}

std::string numbersOf(const std::vector<NetworkTensorId>& tensors) {
  std::string text;
  for (const NetworkTensorId tensor : tensors) text += fmt::format(" {}", indexOf(tensor));
  return text;
}

/// All that the steps of a layer depend on. Layers of one text take equal steps.
std::string textOfLayer(const LayerNetwork& layer) {
  std::string text;
  for (const NetworkTensor& tensor : layer.graph.tensors()) text += textOfTensor(tensor);
  for (const NetworkNode& node : layer.graph.nodes()) {
    const std::optional<std::string> settings = node.operation->settings();
    const auto* const itself = static_cast<const void*>(node.operation.get());
    text +=
        fmt::format("{} {} {}{} ->{}\n", node.operation->kind(),
                    settings ? *settings : fmt::format("{}", itself), static_cast<int>(node.pass),
                    numbersOf(node.operands), numbersOf(node.results));
  }
  return text + numbersOf(layer.outputs);
}

}  // namespace

std::string layerOf(const NetworkNode& node) {
  return node.name.substr(0, node.name.find('/'));
}

std::vector<LayerNetwork> layerNetworks(const NetworkGraph& network,
                                        const std::vector<NetworkTensorId>& results) {
  std::vector<LayerNetwork> layers = LayerSplit(network, results).layers();
  findEqualLayers(layers);
  return layers;
}

void findEqualLayers(std::vector<LayerNetwork>& layers) {
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    layers[l].equal_to = first.emplace(textOfLayer(layers[l]), l).first->second;
  }
}

Bytes operandBytes(const LayerNetwork& layer) {
  Bytes bytes;
  for (const NetworkTensor& tensor : layer.graph.tensors()) {
    if (tensor.role != TensorRole::Result) bytes += bytesOf(tensor);
  }
  for (const NetworkTensorId output : layer.outputs) bytes += bytesOf(layer.graph[output]);
  return bytes;
}

}  // namespace ipusim::workloads
