// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice/better_size.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/error_boundary.h"
#include "base/process/memory_cap.h"
#include "sim/run/advice/remedies.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

/// Ends a run that would go over the limits.
class SizeOverLimits : public std::exception {};

/// The change whose plan has the least estimate, if any is below `least`.
const Change* bestPlanned(const Remedy& remedy, const ConfigReader& config, Cycles least) {
  const Change* best = nullptr;
  for (const Change& change : remedy.changes) {
    const BuiltConfig built = build(config.with(change.overrides));
    if (!built.workload.plan || built.workload.plan->estimated_cycles >= least) continue;
    least = built.workload.plan->estimated_cycles;
    best = &change;
  }
  return best;
}

RunResult resultWithin(const HostLimits& limits, const ConfigReader& config) {
  const auto hear = [&limits](const RunWork& work) {
    const HostCost cost = hostCost(work, Engine::ClosedForm);
    if (limits.memory && cost.memory > *limits.memory) throw SizeOverLimits();
    if (limits.seconds && cost.seconds > *limits.seconds) throw SizeOverLimits();
  };
  return simulate(prepare(config, hear), Engine::ClosedForm);
}

std::optional<AdvisedChange> tried(const Remedy& remedy, const ConfigReader& config,
                                   const RunResult& result, const HostLimits& limits) {
  const Change* const change = bestPlanned(remedy, config, result.plan->estimated_cycles);
  if (change == nullptr) return std::nullopt;
  const RunResult other = resultWithin(limits, config.with(change->overrides));
  const bool is_better = other.time.seconds <= kBetterShare * result.time.seconds;
  if (!other.fits() || !is_better) return std::nullopt;
  return advisedChange(remedy.kind, *change, other);
}

std::optional<AdvisedChange> fastest(const ConfigReader& config, const RunResult& result,
                                     const HostLimits& limits) {
  std::optional<AdvisedChange> best;
  for (const Remedy& remedy : {paddingFor(config), transposeFor(config)}) {
    auto change = tried(remedy, config, result, limits);
    if (change && (!best || change->seconds < best->seconds)) best = std::move(change);
  }
  return best;
}

}  // namespace

std::optional<AdvisedChange> betterSize(const ConfigReader& config, const RunResult& result,
                                        const HostLimits& limits) {
  if (!result.plan) return std::nullopt;
  // Another size may be what the workload or 64 bits cannot be: then there is nothing to name.
  const auto find = [&] {
    const MemoryCap cap(limits.memory.value_or(availableMemory()));
    return fastest(config, result, limits);
  };
  return resultOrNone<SizeOverLimits, std::bad_alloc, ConfigError, GraphError, CountError>(find)
      .value_or(std::nullopt);
}

}  // namespace ipusim::run
