// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "linear": the forward pass of a fully connected layer that is never trained, y = x W^T +
/// b. x, (batch, in), is spread over the tiles as a host leaves it. The weights lie where the plan
/// of the product wants them.
/// Keys: in, out, batch, bias = "yes" or "no", and the options of matmul_options.h.
BuiltWorkload buildLinear(const ConfigReader& config, const Architecture& machine);
/// What building the layer surely takes.
LeastSize leastLinear(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
