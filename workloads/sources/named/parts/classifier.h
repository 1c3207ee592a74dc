// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config_reader.h"
#include "workloads/networks/graph/layer_site.h"
#include "workloads/sources/network_training.h"
#include "workloads/sources/workload.h"

// The common part of the workloads that train a classifier of a few layers.

namespace ipusim::workloads {

/// A network from "x" to logits, (batch, classes), and its training on a cross entropy.
struct Classifier {
  ForwardNetwork forward;
  std::uint64_t batch;
  Optimiser optimiser;
  TrainingSummary summary;
  bool copies_batch = false;  ///< the host writes each batch and reads each loss
};

/// A network whose only node yet is the input "x", (batch, features), of floats.
ForwardNetwork networkOf(std::uint64_t batch, std::uint64_t features);

/// Where a layer goes on from the result of `network`.
LayerSite layerBehind(ForwardNetwork& network, const std::string& name);

/// Reads `learning_rate` and `momentum`.
Optimiser readMomentum(const ConfigReader& config);

/// Builds the loop of training steps. A check of its numbers throws ConfigError for a training that
/// takes too long to be computed in doubles, or whose numbers leave the range of a float.
BuiltWorkload buildTraining(const ConfigReader& config, const Architecture& machine,
                            Classifier classifier);

/// The classifier as a network that may be cut.
TrainedNetworkPointer trainedNetwork(Classifier classifier);

}  // namespace ipusim::workloads
