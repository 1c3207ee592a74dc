// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/node_lowering.h"

namespace ipusim::workloads {

/// Where the tensors of a network lie: one entry per tensor. None for a source that no node reads.
using LoweredTensors = std::vector<std::optional<Tensor>>;

/// Adds the variables of a network to `graph`, and the steps of all its nodes to `program`.
/// Sources live always, and so do the results `outputs`. Throws NotLowered.
LoweredTensors lowerNetwork(const NetworkGraph& network,
                            const std::vector<NetworkTensorId>& outputs, Graph& graph,
                            const Architecture& machine, Program& program);

}  // namespace ipusim::workloads
