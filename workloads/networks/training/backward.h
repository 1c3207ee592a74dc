// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// The gradient of the loss by each tensor: one entry per tensor of the forward pass. None where no
/// parameter is reached through the tensor, or the loss does not depend on it.
using TensorGradients = std::vector<std::optional<NetworkTensorId>>;

/// Adds the backward pass of all nodes to `graph`, as explicit nodes: what it reads of the forward
/// pass is what must be kept between the passes. `loss` is a result of one element.
TensorGradients addBackward(NetworkGraph& graph, NetworkTensorId loss);

/// The ends of a backward pass through a part of a network.
struct BackwardEnds {
  NetworkTensorId from;                     ///< the loss, or a tensor whose gradient is known
  std::optional<NetworkTensorId> gradient;  ///< of `from`; none for the loss
  std::vector<NetworkTensorId> wanted;      ///< sources whose gradients are needed, too
};

/// Adds the backward pass between two ends.
TensorGradients addBackward(NetworkGraph& graph, const BackwardEnds& ends);

/// The graph with the results of the forward pass that `is_kept` does not name computed again,
/// each right before the first node of the backward pass that reads it. Ids of tensors stay.
NetworkGraph withRecomputation(const NetworkGraph& graph,
                               const std::function<bool(NetworkTensorId)>& is_kept);

}  // namespace ipusim::workloads
