// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// A run of the nodes of a forward pass between two places where it may be cut.
struct NetworkModule {
  std::size_t first_node;
  std::size_t last_node;  ///< one behind the last
  /// What the nodes behind the module read of it and of all before it. None for the last module.
  std::optional<NetworkTensorId> result = std::nullopt;
};

/// The shortest modules of a forward pass. Between two of them a single tensor of the type of
/// numbers leads on, which depends on parameters; no parameter is read on both sides; and a new
/// layer begins.
std::vector<NetworkModule> modulesOf(const NetworkGraph& forward);

/// Text about the nodes [first, last) that is equal for runs that are equal but for their names.
std::string contentOf(const NetworkGraph& forward, std::size_t first, std::size_t last);

}  // namespace ipusim::workloads
