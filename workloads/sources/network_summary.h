// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/network_graph.h"
#include "workloads/sources/summary.h"

// What a network has, for results.

namespace ipusim::workloads {

/// The parameters of a network.
ModelSummary modelOf(const NetworkGraph& network);

/// The layers of the forward pass. A parameter belongs to the first layer that reads it.
std::vector<LayerSummary> layerSummaries(const NetworkGraph& network);

/// The work of all passes.
Flops workOf(const NetworkGraph& network);

}  // namespace ipusim::workloads
