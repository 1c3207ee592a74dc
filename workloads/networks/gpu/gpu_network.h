// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/program.h"
#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// A network on a GPU as a framework runs it, node by node. An operator has the name of its layer.
///
///   matmul     a product of the vendor's library, in one call for all matrices
///   conv       an implicit product: of (batch x positions, channels x window) and (channels x
///              window, out channels) forward, and of the matrices of the gradients backward. It
///              reads its operands once. Groups are a batch of products; with one channel per group
///              a kernel of its own passes over the tensors.
///   norms      a pass for the statistics, and one for the result
///   embedding  a gather
///   reshape, transpose, slice, broadcast, a skipped operation, and a vector of parameters that is
///              added to a product as its bias: no kernel
///   others     one pass, which reads the operands and writes the results
///
/// `tensors` are the bytes that are alive together at most: sources always, results from their node
/// to the last one that reads them. `results` are read by the user.
/// Calibrated: no. Valid for: as the kernels; no published row checks a whole network.
gpu::Program gpuNetwork(const NetworkGraph& network, const std::vector<NetworkTensorId>& results);

}  // namespace ipusim::workloads
