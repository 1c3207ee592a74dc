// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/sweep/processes/worker_pool.h"

namespace ipusim::sweep {

/// How long a sweep is expected to take.
struct ExpectedTime {
  std::uint64_t points = 0;
  std::uint64_t tried = 0;  ///< points that were computed for the estimate
  std::uint64_t jobs = 1;
  double seconds = 0;
  bool at_least = false;  ///< one of these points had not ended after some seconds
};

/// Estimates the time from a few of the points, evenly spaced. Keeps none of their results.
ExpectedTime expectedTime(const std::vector<std::uint64_t>& points, const Evaluate& evaluate,
                          std::uint64_t jobs);

}  // namespace ipusim::sweep
