// SPDX-License-Identifier: Apache-2.0
#include "sim/run/measure.h"

#include <utility>

#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/pod/simulate_system.h"

namespace ipusim::run {

namespace {

Measured measure(const SystemPrograms& programs, Engine engine, Observer* observer,
                 const models::WaveFile* waves) {
  MeasuredSystem measured = engine == Engine::SystemC
                                ? models::simulateSystem(programs, observer, waves)
                                : models::closedForm(programs, observer);
  std::vector<LinkUse> links = std::move(measured.links);
  return {overAllIpus(programs, std::move(measured)), std::move(links)};
}

}  // namespace

Measured measure(const compiler::Executable& executable, Engine engine, Observer* observer,
                 SimulatedChips chips, const models::WaveFile* waves) {
  const SystemPrograms& programs = executable.programs;
  const bool shares = programs.chips.size() < programs.ipus();
  return chips == SimulatedChips::Every && shares
             ? measure(everyChip(programs), engine, observer, waves)
             : measure(programs, engine, observer, waves);
}

}  // namespace ipusim::run
