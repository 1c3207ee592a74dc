// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check_experiment.h"

#include <fmt/format.h>

#include "base/size_error.h"

namespace ipusim::run {

namespace {

NumberCheck checkAll(const Experiment& experiment) {
  if (!experiment.workload.reference) {
    throw ConfigError(fmt::format(
        "workload.kind: wanted a workload with numbers to compare with, found {} (its vertices "
        "have tests of their own)",
        experiment.workload_kind));
  }
  const workloads::Reference wanted = experiment.workload.reference();
  checker::Reference reference;
  for (const workloads::HostTensor& input : wanted.inputs) {
    reference.inputs.push_back({{input.name, input.tensor}, {}, input.below});
  }
  for (const workloads::HostTensor& output : wanted.outputs) {
    reference.outputs.push_back({output.name, output.tensor});
  }
  reference.compute = wanted.compute;
  reference.tolerance = wanted.tolerance;
  reference.rounds = wanted.rounds;
  return {checker::checkNumbers(experiment.workload.graph, experiment.executable, reference),
          wanted.tolerance};
}

}  // namespace

NumberCheck checkNumbers(const Experiment& experiment) {
  const auto all = [&] { return checkAll(experiment); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

}  // namespace ipusim::run
