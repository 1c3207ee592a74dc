// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/explore/worker.h"

namespace ipusim::explore {

struct PoolOptions {
  std::uint64_t jobs = 1;                 ///< processes at a time
  std::optional<double> timeout_seconds;  ///< that a point may take
};

/// What the owner of a pool wants next.
enum class Wish : std::uint8_t {
  GoOn,
  FinishPoints,  ///< those that are being computed, and no others
  EndNow,
};

/// Points to compute, and who is told.
struct PoolWork {
  std::vector<std::uint64_t> points;
  Evaluate evaluate;                                            ///< in another process
  std::function<void(std::uint64_t, const PointResult&)> keep;  ///< in this one, as they come
  std::function<Wish()> wish;  ///< in this one, several times a second
};

/// Computes the points in processes, each of which takes the next one when it is done. What ends a
/// process, or a point that takes too long, costs that point: it is kept as failed. Call it where
/// this process has one thread only; SystemC has one kernel a process, and none of them is this.
void computeInProcesses(const PoolOptions& options, const PoolWork& work);

}  // namespace ipusim::explore
