// SPDX-License-Identifier: Apache-2.0
#include "sim/run/measure.h"

#include <utility>

#include "models/ipu/closed_form/closed_form.h"
#include "models/ipu/pod/simulate_pod.h"

namespace ipusim::run {

namespace {

Measured measurePod(const PodPrograms& programs, Engine engine) {
  PodResult result =
      engine == Engine::SystemC ? simulatePod(programs) : models::closedForm(programs);
  return {overAllIpus(programs, result), std::move(result.links)};
}

}  // namespace

Measured measure(const compiler::Executable& executable, Engine engine, Observer* observer,
                 SimulatedChips chips, const WaveFile* waves) {
  if (executable.pod) {
    const PodPrograms& programs = executable.pod->programs;
    return chips == SimulatedChips::Every ? measurePod(everyChip(programs), engine)
                                          : measurePod(programs, engine);
  }
  const ChipPrograms& programs = executable.programs;
  if (engine == Engine::ClosedForm) return {models::closedForm(programs, observer), {}};
  return {waves != nullptr ? simulateChip(programs, observer, *waves)
                           : simulateChip(programs, observer),
          {}};
}

}  // namespace ipusim::run
