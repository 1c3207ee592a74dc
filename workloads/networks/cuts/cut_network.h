// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "workloads/networks/compression/compression.h"
#include "workloads/networks/cuts/stage.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/training/optimiser.h"

namespace ipusim::workloads {

/// How activations are kept that wait for the backward pass.
struct ActivationCodes {
  CodecPointer codec;
  CompressionChoice choice;  ///< of the tensors of the whole network, for a micro-batch
};

/// A network that is to be trained. The last node of `forward` is the loss.
struct NetworkToTrain {
  NetworkGraph forward;
  Optimiser optimiser;
  std::uint64_t batch;  ///< samples
  std::optional<ActivationCodes> codes = std::nullopt;
  bool copies_batch = false;     ///< the host writes each batch and reads each loss
  double host_step_seconds = 0;  ///< time of the host beside each update
  std::map<std::string, std::uint64_t> passes = {};  ///< that changed it, and how often
};

/// A network of any nodes as one that may be cut, where one tensor alone leads on. Throws as
/// withCompression() does. stage() throws NotLowered and OperandError.
std::shared_ptr<const TrainedNetwork> trainedNetwork(NetworkToTrain network);

}  // namespace ipusim::workloads
