// SPDX-License-Identifier: Apache-2.0
#include "sim/run/chip_cost.h"

#include "models/ipu/energy/area.h"
#include "models/ipu/energy/price.h"

namespace ipusim::run {

namespace {

/// One IPU of the machine of an experiment. Separate layers have one IPU.
const Machine& ipuOf(const Experiment& experiment) {
  const auto& pod = experiment.executable.pod;
  return pod ? pod->pod.ipu : experiment.executable.machine;
}

}  // namespace

void addArea(const Experiment& experiment, RunResult& result) {
  const Machine& ipu = ipuOf(experiment);
  result.unpriced = energy::whyUnpriced(ipu);
  if (result.unpriced.empty()) result.area = energy::areaOf(ipu);
}

}  // namespace ipusim::run
