// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check_experiment.h"

namespace ipusim::run {

checker::CheckResult checkNumbers(const Experiment& experiment) {
  const workloads::Reference& wanted = experiment.workload.reference;
  checker::Reference reference;
  for (const workloads::HostTensor& input : wanted.inputs) {
    reference.inputs.push_back({{input.name, input.tensor}, {}});
  }
  for (const workloads::HostTensor& output : wanted.outputs) {
    reference.outputs.push_back({output.name, output.tensor});
  }
  reference.compute = wanted.compute;
  reference.tolerance = wanted.tolerance;
  return checker::checkNumbers(experiment.workload.graph, experiment.executable, reference);
}

}  // namespace ipusim::run
