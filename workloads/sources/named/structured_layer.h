// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/sources/least_size.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// The forward pass on a batch of the layer `kind`, one of circulant, fastfood, low_rank and
/// pixelfly, as the vendor's PyTorch front end lowers it.
/// Keys: those of the layer (workloads/sources/named/parts/structured_layers.h), `batch`, and
/// `dense`.
BuiltWorkload buildStructured(const std::string& kind, const ConfigReader& config,
                              const Architecture& machine);

/// What building the layer `kind`, which may be butterfly too, and the dense layer beside it surely
/// takes.
LeastSize leastStructured(const std::string& kind, const ConfigReader& config,
                          const Architecture& machine);

}  // namespace ipusim::workloads
