// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check_experiment.h"

#include <fmt/format.h>

#include "base/size_error.h"

namespace ipusim::run {

namespace {

NumberCheck checkAll(const Experiment& experiment, const checker::CheckOptions& options) {
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

NumberCheck checkNumbers(const Experiment& experiment, const checker::CheckOptions& options) {
  const auto all = [&] { return checkAll(experiment, options); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

}  // namespace ipusim::run
