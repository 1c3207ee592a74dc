// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/networks/compression/compression.h"

namespace ipusim::workloads {

/// The tensors that a choice names, in the order of the nodes. Throws as withCompression() does.
std::vector<NetworkTensorId> chosenTensors(const NetworkGraph& graph, const Codec& codec,
                                           const CompressionChoice& choice);

/// Those of `tensors` that later passes of `graph` read and that can be coded. A tensor may be an
/// input, such as what another chip sends.
std::vector<NetworkTensorId> codableTensors(const NetworkGraph& graph, const Codec& codec,
                                            SignSource signs,
                                            const std::vector<NetworkTensorId>& tensors);

}  // namespace ipusim::workloads
