// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/optimiser.h"
#include "workloads/networks/stage.h"

namespace ipusim::workloads {

/// A network that is to be trained. The last node of `forward` is the loss.
struct NetworkToTrain {
  NetworkGraph forward;
  Optimiser optimiser;
  std::uint64_t batch;  ///< samples
};

/// A network of any nodes as one that may be cut, where one tensor alone leads on. stage() throws
/// NotLowered and OperandError.
TrainedNetworkPointer trainedNetwork(NetworkToTrain network);

}  // namespace ipusim::workloads
