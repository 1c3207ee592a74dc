// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_summary.h"

#include <unordered_map>

#include "ipusim/ids.h"
#include "workloads/networks/graph/counts.h"
#include "workloads/networks/graph/layer_networks.h"

namespace ipusim::workloads {

ModelSummary modelOf(const NetworkGraph& network) {
  ModelSummary summary{{}, parameterCount(network)};
  for (const NetworkTensorId parameter : network.tensorsOf(TensorRole::Parameter)) {
    summary.parameters.emplace_back(network[parameter].name, network.shapeOf(parameter));
  }
  return summary;
}

std::vector<LayerSummary> layerSummaries(const NetworkGraph& network) {
  std::vector<LayerSummary> layers;
  std::unordered_map<std::string, std::size_t> by_name;
  std::vector<bool> is_counted(network.tensors().size(), false);
  for (const NetworkNode& node : network.nodes()) {
    if (node.pass != NetworkPass::Forward) continue;
    const std::string name = layerOf(node);
    const auto [at, is_new] = by_name.emplace(name, layers.size());
    if (is_new) layers.push_back({name, node.operation->kind(), 0, {}});
    LayerSummary& layer = layers[at->second];
    layer.forward_flops += node.operation->flops(network.typesOf(node.operands));
    for (const NetworkTensorId operand : node.operands) {
      if (network[operand].role != TensorRole::Parameter || is_counted[indexOf(operand)]) continue;
      is_counted[indexOf(operand)] = true;
      layer.parameters += elementsOf(network.shapeOf(operand));
    }
  }
  return layers;
}

Flops workOf(const NetworkGraph& network) {
  Flops flops;
  for (const NetworkPass pass :
       {NetworkPass::Forward, NetworkPass::Backward, NetworkPass::Update}) {
    flops += flopsOf(network, pass);
  }
  return flops;
}

}  // namespace ipusim::workloads
