// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Matrix products one after the other, as several matMul calls in one program: `dims` = [a, b, c,
/// …] is ((a x b) (b x c)) …, and the options of matmul_options.h. Operands are spread linearly
/// over the tiles. Equal products are one function, called with each one's operands.
BuiltWorkload buildMatmulChain(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
