// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/compression/compression.h"

namespace ipusim::workloads {

/// The tensors that a choice names, in the order of the nodes. Throws as withCompression() does.
std::vector<NetworkTensorId> chosenTensors(const NetworkGraph& graph, const Codec& codec,
                                           const CompressionChoice& choice);

}  // namespace ipusim::workloads
