// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Training of a multi-layer perceptron on random data:
///
///   dense layers with biases, with a relu after all but the last; softmax and mean negative
///   log-likelihood; stochastic gradient descent with momentum
///
/// The step runs in a loop.
/// Keys: `dims` (the inputs, the widths of the hidden layers, the classes), `batch`, `steps`,
/// `learning_rate`, `momentum`.
BuiltWorkload buildMlpTraining(const ConfigReader& config, const Architecture& machine);

/// Reads the keys of buildMlpTraining() as a network that may be cut.
TrainedNetworkPointer readMlpNetwork(const ConfigReader& config);

}  // namespace ipusim::workloads
