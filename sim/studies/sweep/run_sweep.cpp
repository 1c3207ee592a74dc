// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/run_sweep.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/files/disk_cache.h"
#include "sim/studies/sweep/processes/work_queue.h"
#include "sim/studies/sweep/store/sweep_identity.h"

namespace ipusim::sweep {

namespace {

struct Points {
  std::uint64_t all = 0;
  std::vector<std::uint64_t> missing;
};

Points pointsOf(const Sweep& sweep, const Shard& shard, const SweepStore& store) {
  const std::vector<std::uint64_t> there = store.points();
  Points points;
  forEachPoint(sweep, [&](std::uint64_t point) {
    const bool is_damaged = store.damaged().count(point) > 0;
    if (!is_damaged && !isIn(shard, point)) return;
    ++points.all;
    if (!std::binary_search(there.begin(), there.end(), point)) points.missing.push_back(point);
  });
  return points;
}

/// The finalizer of SplitMix64: neighbouring numbers become unrelated ones. Source:
/// https://prng.di.unimi.it/splitmix64.c
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15ULL;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
  return number ^ (number >> 31);
}

}  // namespace

bool isIn(const Shard& shard, std::uint64_t point) {
  return mixed(point) % shard.count == shard.index;
}

Evaluate evaluatorOf(const Sweep& sweep, Engine engine, const run::HostLimits& limits) {
  const auto cache = std::make_shared<run::CompileCache>();  // each process gets its own cache
  const PointRun how{engine, limits, diskCache() == nullptr ? "" : fileHashes(sweep)};
  return [&sweep, how, cache](std::uint64_t point) {
    return evaluatePoint(sweep, how, point, *cache);
  };
}

SweepState runSweep(const Sweep& sweep, const Shard& shard, const Compute& compute,
                    SweepStore& store, const std::function<StopRequest(const SweepState&)>& watch) {
  Points points = pointsOf(sweep, shard, store);
  SweepState state;
  state.points = points.all;
  state.before = state.done = points.all - points.missing.size();
  WorkQueue queue(sweep, std::move(points.missing));
  compute({[&](std::optional<std::uint64_t> last) { return queue.next(last); },
           [&](std::uint64_t point, const PointResult& result) {
             store.add(point, describePoint(sweep, point), result);
             ++state.done;
           },
           [&] { return watch(state); }});
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

}  // namespace ipusim::sweep
