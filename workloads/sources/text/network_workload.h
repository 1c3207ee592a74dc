// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/least_size.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Builds the network that the keys `layers` or `file`, `input` and `batch` describe: its forward
/// pass, or with a table `train` a training step.
BuiltWorkload buildNetwork(const ConfigReader& config, const Architecture& machine);

/// What building the network surely takes: its views of several tensors have many pieces.
LeastSize leastNetwork(const ConfigReader& config, const System& system);

/// Reads the keys of buildNetwork() as a network that may be cut.
TrainedNetworkPointer readTextNetwork(const ConfigReader& config);

}  // namespace ipusim::workloads
