// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "matmul": the product of a left (m, k) and a right (k, n) matrix.
/// Keys: m, k, n, groups (independent products), variant:
///   "poplin"   as the vendor's library plans it. Keys: operands = "planned" (laid out where the
///   plan
///              wants them) or "linear" (spread evenly, and rearranged first), and the options of
///              readMatmulOptions.
///   "naive"    one vertex a user wrote for each row of a tile's block; float
///   "blocked"  the same in blocks, through temporaries; float. Key: block (16)
/// On a GPU: the vendor's library, a thread an element, the same through shared memory in blocks of
/// 16.
BuiltWorkload buildMatmul(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
