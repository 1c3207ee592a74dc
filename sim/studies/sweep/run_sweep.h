// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "ipusim/result.h"
#include "sim/report/output_folder.h"
#include "sim/studies/sweep/processes/shard.h"
#include "sim/studies/sweep/processes/worker_pool.h"
#include "sim/studies/sweep/store/results_csv.h"
#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::sweep {

/// How many points ended in which way.
struct SweepCounts {
  std::uint64_t ok = 0;
  std::uint64_t does_not_fit = 0;
  std::uint64_t invalid = 0;
  std::uint64_t failed = 0;
};

/// True when the point belongs to that part. A hash of its number decides, so that no part has all
/// large points.
bool isIn(const Shard& shard, std::uint64_t point);

/// The progress of a sweep.
struct SweepState {
  std::uint64_t points = 0;  ///< points of its part
  std::uint64_t before = 0;  ///< points that were in the store when it began
  std::uint64_t done = 0;    ///< points that are in the store, those of `before` included
};

/// What a worker process of the sweep does with a point.
Evaluate evaluatorOf(const Sweep& sweep, Engine engine, const run::HostLimits& limits = {});

/// Computes the points of the part that are not in the store yet or that failed, and the points of
/// any part that are damaged in the store. `compute` distributes them; only this process touches
/// the store. A point with an error becomes a row and never ends the sweep. This process calls
/// `watch` several times a second to ask whether to go on. Returns the state at the end.
SweepState runSweep(const Sweep& sweep, const Shard& shard, const Compute& compute,
                    SweepStore& store, const std::function<StopRequest(const SweepState&)>& watch);

/// Counts all points of the store.
SweepCounts countsOf(const SweepStore& store);

}  // namespace ipusim::sweep
