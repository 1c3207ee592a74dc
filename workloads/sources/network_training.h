// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/passes/passes.h"
#include "workloads/networks/training/optimiser.h"

// From the forward pass of a network to a step of its training.

namespace ipusim::workloads {

/// Result: the network computes its loss itself.
enum class LossWord : std::uint8_t { CrossEntropy, SquaredError, Result };

/// The forward pass of a network. `results` are what its user reads, at least one. Training learns
/// from the first one.
struct ForwardNetwork {
  NetworkGraph graph;
  std::vector<NetworkTensorId> results;
  FrontEnd front_end = FrontEnd::Text;
};

/// Adds the loss of the first result, and the input that it is compared with. The loss Result adds
/// nothing: it is the sum of that result, and its gradient begins with ones.
NetworkTensorId addLoss(LossWord loss, ForwardNetwork& network);

/// Adds the loss, the backward pass and the updates. The loss becomes the result.
void addTraining(LossWord loss, const Optimiser& optimiser, ForwardNetwork& network);

}  // namespace ipusim::workloads
