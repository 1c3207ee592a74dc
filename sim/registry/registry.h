// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/sources/workload.h"

namespace ipusim::registry {

/// All workloads, sorted by name.
const std::vector<workloads::WorkloadKind>& workloadKinds();

/// The prediction_kind of the workload in a [workload] table.
std::string predictionKind(const ConfigReader& workload);

/// Builds the workload that the [workload] table names in `kind`. Throws ConfigError for an unknown
/// kind (and names the nearest one), for a bad value, and for a key that nobody read.
workloads::BuiltWorkload buildWorkload(const ConfigReader& workload, const System& system);

/// What building the workload surely takes, before it is built. Throws ConfigError for a bad value.
workloads::LeastSize leastSize(const ConfigReader& workload, const System& system);

/// What the file of a workload has, one line each; none for a kind without a file to look into.
/// Throws ConfigError for what cannot be read.
std::vector<std::string> previewOf(const ConfigReader& workload);

/// Reads the network that the [workload] table names in `kind`. Throws ConfigError for a kind that
/// is not trained module by module, and for what buildWorkload() throws for.
workloads::TrainedNetworkPointer readNetwork(const ConfigReader& workload);

}  // namespace ipusim::registry
