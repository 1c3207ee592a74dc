// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// A sparse (m, k) matrix times a dense (k, n) one. The pattern is known when the program is built.
/// Keys: m, k, density and seed, or a Matrix Market `file`; n, block, type, output_type,
/// partials_type and cuts.
BuiltWorkload buildSparseMatmul(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
