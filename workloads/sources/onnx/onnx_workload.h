// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Builds the network of the ONNX file `file`: its forward pass, or with a table `train` a training
/// step. `batch` and the table `dimensions` give symbolic dimensions, and `type` that of all
/// floating-point tensors.
BuiltWorkload buildOnnx(const ConfigReader& config, const Architecture& machine);

/// Reads the keys of buildOnnx() as a network that may be cut.
TrainedNetworkPointer readOnnxNetwork(const ConfigReader& config);

/// What the file has, one line each: inputs, parameters, work, and what becomes of its nodes.
std::vector<std::string> previewOnnx(const ConfigReader& config);

/// What building the products of the network surely takes.
LeastSize leastOnnx(const ConfigReader& config, const System& system);

}  // namespace ipusim::workloads
