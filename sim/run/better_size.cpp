// SPDX-License-Identifier: Apache-2.0
#include "sim/run/better_size.h"

#include <algorithm>
#include <new>

#include "base/memory_cap.h"
#include "sim/run/remedies.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

/// Ends a run that would go over the limits.
struct OverLimits {};

/// The change whose plan has the least estimate, if any is below that of the plan in `result`.
const Change* bestPlanned(const Remedy& padding, const ReadConfig& read, const RunResult& result) {
  const Change* best = nullptr;
  Cycles least = result.plan->estimated_cycles;
  for (const Change& change : padding.changes) {
    const BuiltConfig built = build(read(change.overrides));
    if (!built.workload.plan || built.workload.plan->estimated_cycles >= least) continue;
    least = built.workload.plan->estimated_cycles;
    best = &change;
  }
  return best;
}

RunResult resultWithin(const HostLimits& limits, const ConfigReader& config) {
  const auto hear = [&limits](const RunWork& work) {
    const HostCost cost = hostCost(work, Engine::ClosedForm);
    if (limits.memory && cost.memory > *limits.memory) throw OverLimits();
    if (limits.seconds && cost.seconds > *limits.seconds) throw OverLimits();
  };
  return simulate(prepare(config, hear), Engine::ClosedForm);
}

std::optional<AdvisedChange> tried(const Remedy& padding, const ReadConfig& read,
                                   const RunResult& result, const HostLimits& limits) {
  const Change* const change = bestPlanned(padding, read, result);
  if (change == nullptr) return std::nullopt;
  const RunResult padded = resultWithin(limits, read(change->overrides));
  const bool is_better = padded.time.seconds <= kBetterShare * result.time.seconds;
  if (!padded.fits() || !is_better) return std::nullopt;
  return advisedChange(padding.kind, *change, padded);
}

}  // namespace

std::optional<AdvisedChange> betterSize(const ConfigReader& config, const ReadConfig& read,
                                        const RunResult& result, const HostLimits& limits) {
  if (!result.plan) return std::nullopt;
  const Remedy padding = paddingFor(config);
  // A padded size may be what the workload or 64 bits cannot be: then there is nothing to name.
  try {
    const MemoryCap cap(limits.memory.value_or(availableMemory()));
    return tried(padding, read, result, limits);
  } catch (const OverLimits&) {
  } catch (const std::bad_alloc&) {
  } catch (const ConfigError&) {
  } catch (const GraphError&) {
  } catch (const CountError&) {
  }
  return std::nullopt;
}

}  // namespace ipusim::run
