// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/graph/network_graph.h"

// What a network needs, before any machine is chosen.

namespace ipusim::workloads {

/// The elements of all parameters.
std::uint64_t parameterCount(const NetworkGraph& graph);

/// The work of all nodes of a pass.
Flops flopsOf(const NetworkGraph& graph, NetworkPass pass);

/// The bytes of a tensor.
Bytes bytesOf(const NetworkTensor& tensor);

/// The tensor whose elements `tensor` has: the operand of a chain of views, or `tensor` itself.
std::vector<NetworkTensorId> storageOfTensors(const NetworkGraph& graph);

/// The results before the backward pass that later passes read, without views of each other, in the
/// order of the nodes. They live from the forward to the backward pass. Inputs are not among them.
std::vector<NetworkTensorId> savedTensors(const NetworkGraph& graph);

/// Bytes of all savedTensors().
Bytes savedBytes(const NetworkGraph& graph);

}  // namespace ipusim::workloads
