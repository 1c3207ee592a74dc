// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "matmul": the product of a left (m, k) and a right (k, n) matrix.
/// Keys: m, k, n, groups (independent products), and variant:
///
///   "poplin"   as the vendor's library plans it. Keys: operands = "planned" (laid out where the
///              plan wants them) or "linear" (spread evenly, and rearranged first), and the options
///              of readMatmulOptions.
///   "naive"    one vertex of a user per row of a tile's block; float
///   "blocked"  as "naive", but in blocks and through temporaries; float. Key: block (16)
///
/// The comparison with a GPU has the vendor's library for "poplin", one thread per element for
/// "naive", and one thread per element through shared memory in blocks of 16 for "blocked".
BuiltWorkload buildMatmul(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
