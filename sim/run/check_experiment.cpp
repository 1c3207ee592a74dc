// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check_experiment.h"

#include <fmt/format.h>

#include "base/size_error.h"
#include "sim/run/summarize.h"

namespace ipusim::run {

namespace {

/// The error as a share of what is allowed. Layers of different types allow different errors.
double shareOf(const NumberCheck& check) {
  return check.found.relative / check.tolerance;
}

/// Checks each different program of a layer. The worst one has the largest share.
NumberCheck checkLayers(const Experiment& experiment, const checker::CheckOptions& options) {
  std::optional<NumberCheck> worst;
  std::uint64_t elements = 0;
  forEachLayer(experiment, [&](std::size_t /*layer*/, const Experiment& program) {
    const NumberCheck one = checkNumbers(program, options);
    elements += one.found.elements;
    const bool is_worse = !worst || (worst->found.ok && !one.found.ok) ||
                          (worst->found.ok == one.found.ok && shareOf(*worst) < shareOf(one));
    if (is_worse) worst = one;
  });
  worst->found.elements = elements;
  return *worst;
}

NumberCheck checkAll(const Experiment& experiment, const checker::CheckOptions& options) {
  if (experiment.layers) return checkLayers(experiment, options);
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
  if (!experiment.layers) return outOfMemory(experiment.executable);
  std::optional<OutOfMemory> first;
  forEachLayer(experiment, [&](std::size_t /*layer*/, const Experiment& program) {
    if (!first) first = outOfMemory(program.executable);
  });
  return first;
}

NumberCheck checkNumbers(const Experiment& experiment, const checker::CheckOptions& options) {
  const auto all = [&] { return checkAll(experiment, options); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

}  // namespace ipusim::run
