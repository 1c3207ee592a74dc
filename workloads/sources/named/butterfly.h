// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "butterfly": the forward pass of a butterfly layer (ops/butterfly.h) and a bias. The rows
/// are spread over the tiles as a host leaves them. The stages have the op sequence of the PyTorch
/// code.
/// Keys: features (a power of two), batch, twiddles = "tied" or "untied", order = "increasing" or
/// "decreasing", bias = "yes" or "no", type = "float" or "half".
BuiltWorkload buildButterfly(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
