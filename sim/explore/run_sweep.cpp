// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/run_sweep.h"

#include <unordered_set>
#include <vector>

namespace ipusim::explore {

namespace {

std::vector<std::uint64_t> missingPoints(const Sweep& sweep, const SweepStore& store) {
  const std::vector<std::uint64_t> there = store.points();
  const std::unordered_set<std::uint64_t> done(there.begin(), there.end());
  std::vector<std::uint64_t> missing;
  for (std::uint64_t point = 0; point < sweep.points(); ++point) {
    if (done.count(point) == 0) missing.push_back(point);
  }
  return missing;
}

}  // namespace

SweepState runSweep(const Sweep& sweep, const SweepOptions& options, SweepStore& store,
                    const std::function<Wish(const SweepState&)>& watch) {
  const std::vector<std::uint64_t> missing = missingPoints(sweep, store);
  SweepState state;
  state.points = sweep.points();
  state.before = state.done = state.points - missing.size();
  const PoolWork work = {
      missing, [&](std::uint64_t point) { return evaluatePoint(sweep, options.engine, point); },
      [&](std::uint64_t point, const PointResult& result) {
        store.add(point, describePoint(sweep, point), result);
        ++state.done;
      },
      [&] { return watch(state); }};
  computeInProcesses(options.pool, work);
  return state;
}

SweepCounts countsOf(const SweepStore& store) {
  SweepCounts counts;
  store.forEach([&](std::uint64_t, const PointResult& result) {
    switch (result.status) {
      case Status::Ok:
        ++counts.ok;
        break;
      case Status::DoesNotFit:
        ++counts.does_not_fit;
        break;
      case Status::Invalid:
        ++counts.invalid;
        break;
      case Status::Failed:
        ++counts.failed;
        break;
    }
  });
  return counts;
}

}  // namespace ipusim::explore
