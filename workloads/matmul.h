// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/workload.h"

namespace ipusim::workloads {

/// kind = "matmul": the product of a left (m, k) and a right (k, n) matrix.
/// Keys: m, k, n, type = "float", operands = "planned" (laid out where the plan wants them) or
/// "linear" (spread evenly, and rearranged first).
BuiltWorkload buildMatmul(const ConfigReader& config, const models::Machine& machine);

}  // namespace ipusim::workloads
