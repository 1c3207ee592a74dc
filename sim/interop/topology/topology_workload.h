// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interop/topology/topology_reader.h"
#include "workloads/networks/graph/layer_networks.h"
#include "workloads/sources/workload.h"

namespace ipusim::interop {

/// Reads `file`, a layer list in the format of SCALE-Sim, `batch` and `type`. Each layer is a
/// program of its own.
workloads::BuiltWorkload buildTopology(const ConfigReader& config, const Architecture& machine);

/// What building the largest layer surely takes.
workloads::LeastSize leastTopology(const ConfigReader& config, const System& system);

/// A layer as a network of one operation on `batch` samples. A product has `batch` times its rows.
workloads::LayerNetwork networkOf(const TopologyLayer& layer, std::uint64_t batch,
                                  ElementType type);

}  // namespace ipusim::interop
