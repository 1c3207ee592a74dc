// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/result.h"
#include "sim/run/compile_cache.h"
#include "sim/studies/sweep/point_result.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::explore {

/// Runs one point. An error in it becomes a status, never an exception. `cache` passes from point
/// to point and changes no result.
PointResult evaluatePoint(const Sweep& sweep, Engine engine, std::uint64_t point,
                          run::CompileCache& cache);

}  // namespace ipusim::explore
