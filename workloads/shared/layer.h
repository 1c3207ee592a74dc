// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/config_reader.h"
#include "workloads/graph/graph.h"

// What the layers of a network have in common.

namespace ipusim::workloads {

/// The key `bias`, "yes" (the default) or "no".
bool readBias(const ConfigReader& config);

/// A bias of `elements` parameters, spread linearly over the tiles.
Tensor addBiasParameters(Graph& graph, const models::Machine& machine, models::ElementType type,
                         std::uint64_t elements);

/// Adds `bias` to every row of the row-major `rows`.
void addBiasReference(const std::vector<double>& bias, std::vector<double>& rows);

}  // namespace ipusim::workloads
