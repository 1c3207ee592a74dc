// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// A layer of a network as a network of its own: all nodes of the layer, in all passes. Results of
/// other layers are inputs of it.
struct LayerNetwork {
  std::string name;
  NetworkGraph graph;
  std::vector<NetworkTensorId> outputs;  ///< what other layers or the user read
  std::size_t equal_to;  ///< the first layer that takes equal steps, by index; this one, if it is
};

/// What stands before the first '/' of the name of a node names its layer.
std::string layerOf(const NetworkNode& node);

/// The layers of a network, in the order of their first nodes. `results` are what the user reads.
std::vector<LayerNetwork> layerNetworks(const NetworkGraph& network,
                                        const std::vector<NetworkTensorId>& results);

/// Sets `equal_to` of all layers.
void findEqualLayers(std::vector<LayerNetwork>& layers);

/// The bytes that enter a layer and leave it: its sources, and its outputs.
Bytes operandBytes(const LayerNetwork& layer);

}  // namespace ipusim::workloads
