// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ipusim/result.h"
#include "sim/report/output_folder.h"
#include "sim/studies/sweep/results_csv.h"
#include "sim/studies/sweep/shard.h"
#include "sim/studies/sweep/sweep.h"
#include "sim/studies/sweep/sweep_store.h"
#include "sim/studies/sweep/worker_pool.h"

namespace ipusim::explore {

/// How many points came out how.
struct SweepCounts {
  std::uint64_t ok = 0;
  std::uint64_t does_not_fit = 0;
  std::uint64_t invalid = 0;
  std::uint64_t failed = 0;
};

/// Whether the point is of that part: by a hash of its number, so that no part has all large
/// points.
bool isIn(const Shard& shard, std::uint64_t point);

/// How far a sweep is.
struct SweepState {
  std::uint64_t points = 0;  ///< of its part
  std::uint64_t before = 0;  ///< that were in the store when it began
  std::uint64_t done = 0;    ///< that are in the store, those before included
};

/// What a worker of the sweep does with a point.
Evaluate evaluatorOf(const Sweep& sweep, Engine engine);

/// Has `compute` compute the points of the part that are not in the store yet, those that failed
/// once more, and those of any part that are damaged there; only this process touches the store. A
/// point that goes wrong is a row, never the end. `watch` is called here several times a second and
/// says whether to go on. Gives the state at the end.
SweepState runSweep(const Sweep& sweep, const Shard& shard, const Compute& compute,
                    SweepStore& store, const std::function<Wish(const SweepState&)>& watch);

/// Counts all points of the store.
SweepCounts countsOf(const SweepStore& store);

}  // namespace ipusim::explore
