// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// One tensor is encoded and decoded, as a network does with what it saves for its backward pass.
/// Keys: see docs/reference/config/codec.md.
BuiltWorkload buildCodec(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
