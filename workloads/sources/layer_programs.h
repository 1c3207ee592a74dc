// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/sources/workload.h"

// Programs of networks, and of single layers.

namespace ipusim::workloads {

/// Calls `make`. What it throws about operations and shapes becomes a ConfigError at `place`.
template <typename Make>
void makeAt(const std::string& place, const Make& make) {
  // A planner throws ConfigError, which has no place yet.
  translateErrors<OperandError, NotLowered, ConfigError>(make, [&](const std::exception& mistake) {
    return ConfigError(place + ": " + mistake.what());
  });
}

/// Where and how often a network runs.
struct NetworkRun {
  const Architecture& machine;
  std::string place;          ///< what stands in front of messages about its numbers
  std::uint64_t rounds;       ///< passes, which the reference describes one by one
  bool copies_batch = false;  ///< the host writes the inputs of each pass and reads its outputs
  /// Whether a check forgives what rounding moves beside its tolerance.
  bool forgives_rounding = true;
  bool outlines = false;  ///< equal parts of the network are functions
};

/// Sets the graph, the host tensors and the reference of a workload. Returns the steps of one pass
/// through the network. `outputs` are what the host reads besides what updates write. Throws
/// NotLowered.
Program setNetwork(NetworkGraph network, const std::vector<NetworkTensorId>& outputs,
                   const NetworkRun& run, BuiltWorkload& built);

/// A layer, and where it stands, for messages.
struct PlacedLayer {
  LayerNetwork network;
  std::string place;
};

/// Sets the separate programs of a workload. `layers` of the workload are not touched. The programs
/// are built when asked for.
void setSeparatePrograms(std::vector<PlacedLayer> layers, const Architecture& machine,
                         BuiltWorkload& built);

}  // namespace ipusim::workloads
