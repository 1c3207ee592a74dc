// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/sources/network_training.h"
#include "workloads/sources/workload.h"

// What all sources of networks share: the keys of training, and the program of a network.

namespace ipusim::workloads {

/// The table `train`.
struct NetworkTraining {
  LossWord loss;
  Optimiser optimiser;
  std::uint64_t steps;
};

/// Reads the table `train`, if there is one.
std::optional<NetworkTraining> readNetworkTraining(const ConfigReader& config);

/// Reads `partials_type` and `available_memory_proportion`.
ProductSettings readProductSettings(const ConfigReader& config);

/// A network that is read for training on several chips. `training` and `key` are those of
/// buildNetworkProgram(). Throws ConfigError without a table `train`.
TrainedNetworkPointer readTrainedNetwork(const ConfigReader& config, const char* key,
                                         ForwardNetwork forward,
                                         const std::optional<NetworkTraining>& training);

/// What a network's program does: one forward pass, or steps of training.
struct NetworkSteps {
  std::optional<NetworkTraining> training;
  std::uint64_t batch = 1;  ///< samples of a step
};

/// Builds the program of a network, or of training steps with a loss of its result. With
/// compile = "separate" each layer is a program of its own. `key` names the network in the messages
/// about operations that cannot be compiled. A warning names nodes whose results nothing reads,
/// and results that training does not learn from: neither is in the program.
BuiltWorkload buildNetworkProgram(const ConfigReader& config, const char* key,
                                  ForwardNetwork forward, const NetworkSteps& network,
                                  const Architecture& machine);

/// What the products of that program surely take. Throws as buildNetworkProgram() does.
LeastSize leastNetworkProgram(const ConfigReader& config, const char* key, ForwardNetwork forward,
                              const std::optional<NetworkTraining>& training,
                              const Architecture& machine);

}  // namespace ipusim::workloads
