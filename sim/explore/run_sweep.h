// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "sim/explore/results_csv.h"
#include "sim/explore/sweep.h"
#include "sim/explore/sweep_store.h"
#include "sim/explore/worker_pool.h"
#include "sim/run/output_folder.h"
#include "sim/run/result.h"

namespace ipusim::explore {

/// How many points came out how.
struct SweepCounts {
  std::uint64_t ok = 0;
  std::uint64_t does_not_fit = 0;
  std::uint64_t invalid = 0;
  std::uint64_t failed = 0;
};

struct SweepOptions {
  run::Engine engine = run::Engine::ClosedForm;
  PoolOptions pool;
};

/// How far a sweep is.
struct SweepState {
  std::uint64_t points = 0;
  std::uint64_t before = 0;  ///< that were in the store when it began
  std::uint64_t done = 0;    ///< that are in the store, those before included
};

/// Computes the points that are not in the store yet, in processes of their own; only this one
/// touches the store. A point that goes wrong is a row, never the end. `watch` is called here
/// several times a second and says whether to go on. Gives the state at the end.
SweepState runSweep(const Sweep& sweep, const SweepOptions& options, SweepStore& store,
                    const std::function<Wish(const SweepState&)>& watch);

/// Counts all points of the store.
SweepCounts countsOf(const SweepStore& store);

}  // namespace ipusim::explore
