// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check_experiment.h"

#include <fmt/format.h>

#include "base/size_error.h"
#include "sim/run/summarize.h"

namespace ipusim::run {

namespace {

/// Checks each different program of a layer. The worst one has the largest error.
NumberCheck checkLayers(const Experiment& experiment, const checker::CheckOptions& options) {
  std::optional<NumberCheck> worst;
  std::uint64_t elements = 0;
  for (std::size_t l = 0; l < experiment.separate.size(); ++l) {
    if (experiment.workload.separate[l].equal_to != l) continue;
    const NumberCheck one = checkNumbers(*experiment.separate[l], options);
    elements += one.found.elements;
    const bool is_worse =
        !worst || (worst->found.ok && !one.found.ok) ||
        (worst->found.ok == one.found.ok && worst->found.relative < one.found.relative);
    if (is_worse) worst = one;
  }
  worst->found.elements = elements;
  return *worst;
}

NumberCheck checkAll(const Experiment& experiment, const checker::CheckOptions& options) {
  if (!experiment.separate.empty()) return checkLayers(experiment, options);
  if (!experiment.workload.reference) {
    throw ConfigError(fmt::format(
        "workload.kind: wanted a workload with numbers to compare with, found {} (its vertices "
        "have tests of their own)",
        experiment.workload_kind));
  }
  const workloads::BuiltWorkload& workload = experiment.workload;
  return {checker::checkNumbers(workload.graph, experiment.executable, workload.host(),
                                *workload.reference, options),
          workload.reference->tolerance};
}

}  // namespace

std::optional<OutOfMemory> outOfMemory(const Experiment& experiment) {
  for (const auto& layer : experiment.separate) {
    if (auto oom = outOfMemory(layer->executable)) return oom;
  }
  return outOfMemory(experiment.executable);
}

NumberCheck checkNumbers(const Experiment& experiment, const checker::CheckOptions& options) {
  const auto all = [&] { return checkAll(experiment, options); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

}  // namespace ipusim::run
