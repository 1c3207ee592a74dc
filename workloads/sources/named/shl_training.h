// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Training of a network with a single hidden layer, of any kind, on random data:
///
///   hidden layer, relu, dense layer, softmax and mean negative log-likelihood; the backward pass
///   without the gradient of the input; stochastic gradient descent with momentum
///
/// The step runs in a loop over steps and epochs.
/// Keys: `hidden` and the keys of that layer, `features`, `classes`, `batch`, `steps`, `epochs`,
/// `learning_rate`, `momentum`, `wrapper_bias` (a second bias after the hidden layer), `copy_batch`
/// (copies the batch over the host link in every step), `host_step_seconds`, `dense`.
/// Source: arXiv 2309.08946, section 3.3; HazyResearch/structured-nets.
BuiltWorkload buildShlTraining(const ConfigReader& config, const Architecture& machine);

/// Reads the keys of buildShlTraining() as a network that may be cut.
TrainedNetworkPointer readShlNetwork(const ConfigReader& config);

/// What building the layer that `hidden` names, and its training, surely takes.
LeastSize leastShlTraining(const ConfigReader& config, const System& system);

}  // namespace ipusim::workloads
