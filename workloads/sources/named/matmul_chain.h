// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// Matrix products one after the other, as several matMul calls in one program: `dims` = [a, b, c,
/// …] is ((a x b) (b x c)) …, with the options of matmul_options.h. Operands are spread linearly
/// over the tiles. Products of equal size are one function, which is called with the operands of
/// each.
BuiltWorkload buildMatmulChain(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
