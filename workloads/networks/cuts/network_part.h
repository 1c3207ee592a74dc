// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "workloads/networks/cuts/module_cuts.h"

namespace ipusim::workloads {

/// Some modules of a network with the backward pass through them.
struct NetworkPart {
  NetworkGraph graph;
  std::size_t forward_nodes;  ///< the nodes that follow are those of the backward pass
  // Sources and results of `graph`. The tensor that leads into the part is named "x", and the
  // gradient of its result "gradient".
  std::optional<NetworkTensorId> x = std::nullopt;  ///< none for the first part
  std::optional<NetworkTensorId> x_gradient = std::nullopt;
  std::optional<NetworkTensorId> result = std::nullopt;  ///< none for the last part
  std::optional<NetworkTensorId> gradient = std::nullopt;
  std::optional<NetworkTensorId> loss = std::nullopt;  ///< of the last part
  /// The parameters that have a gradient, with it.
  std::vector<std::pair<NetworkTensorId, NetworkTensorId>> gradients = {};
  /// What the tensors of the forward pass of the network are here, by their index there.
  std::unordered_map<std::size_t, NetworkTensorId> copies = {};
};

/// The part of the modules [first, last) of `forward`, whose last node is the loss. With
/// `recomputes` only what leads from one module to the next is kept for the backward pass. The last
/// module of the network is not computed again, for its backward pass comes next.
NetworkPart partOf(const NetworkGraph& forward, const std::vector<NetworkModule>& modules,
                   std::size_t first, std::size_t last, bool recomputes);

}  // namespace ipusim::workloads
