// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ipusim/result.h"
#include "sim/run/compile_cache.h"
#include "sim/studies/sweep/store/point_result.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// How points are run.
struct PointRun {
  Engine engine = Engine::ClosedForm;
  /// A point whose estimated cost is surely over them has failed without being compiled.
  run::HostLimits limits = {};
  std::string files = {};  ///< fileHashes(), where a disk cache is in use
};

/// Runs one point, or takes its result from the disk cache that is in use. An error in it becomes a
/// status, never an exception. `cache` passes from point to point and changes no result.
PointResult evaluatePoint(const Sweep& sweep, const PointRun& how, std::uint64_t point,
                          run::CompileCache& cache);

}  // namespace ipusim::sweep
