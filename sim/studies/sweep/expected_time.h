// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/studies/sweep/worker_pool.h"

namespace ipusim::explore {

/// What a sweep is expected to take.
struct ExpectedTime {
  std::uint64_t points = 0;
  std::uint64_t tried = 0;  ///< points that were computed to tell
  std::uint64_t jobs = 1;
  double seconds = 0;
  bool at_least = false;  ///< a point that was tried had not ended after some seconds
};

/// Computes a few of the points, evenly spaced, and keeps none of them.
ExpectedTime expectedTime(const std::vector<std::uint64_t>& points, const Evaluate& evaluate,
                          std::uint64_t jobs);

}  // namespace ipusim::explore
