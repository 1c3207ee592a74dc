// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// A network with layers that exporters wrote as small operations.
struct FusedNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;
  std::map<std::string, std::size_t> layers;  ///< how many of each kind were found
};

/// Finds the small operations that are one layer, and puts that layer in their place, where nothing
/// else reads what they make on the way: gelu of an error function or of a tanh, silu, and layer
/// norms of means.
FusedNetwork fuseLayers(const NetworkGraph& graph, const std::vector<NetworkTensorId>& results);

}  // namespace ipusim::workloads
