// SPDX-License-Identifier: Apache-2.0
#include "sim/run/simulate.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/ipu/chip/chip.h"
#include "models/ipu/closed_form.h"
#include "sim/compile/compile.h"
#include "sim/run/summarize.h"

namespace ipusim::run {

namespace {

compiler::Timing timingOf(workloads::Measurement measurement) {
  return measurement == workloads::Measurement::TileCounters ? compiler::Timing::TileCounters
                                                             : compiler::Timing::Program;
}

std::vector<std::pair<std::string, std::string>> parametersOf(const ConfigReader& workload) {
  const auto values = nlohmann::json::parse(workload.json());
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& key : workload.keys()) {
    const auto& value = values.at(key);
    if (key == "kind") continue;
    parameters.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return parameters;
}

}  // namespace

Experiment prepare(const ConfigReader& config) {
  const models::Machine machine = models::readMachine(config);
  const ConfigReader workload = config.table("workload");
  Experiment experiment;
  experiment.config = config.json();
  experiment.workload = workloads::buildWorkload(workload, machine);
  experiment.workload_kind = workload.text("kind");
  experiment.parameters = parametersOf(workload);
  experiment.compare = readCompare(config);
  config.expectAllRead();
  experiment.executable = compiler::compile(experiment.workload.graph, machine,
                                            timingOf(experiment.workload.measurement));
  return experiment;
}

RunResult simulate(const Experiment& experiment, Engine engine) {
  const models::ChipPrograms& programs = experiment.executable.programs;
  const auto begin = std::chrono::steady_clock::now();
  const models::ChipResult measured =
      engine == Engine::SystemC ? models::simulateChip(programs) : models::closedForm(programs);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;

  RunResult result = summarize(experiment, measured);
  result.engine.kind = engine;
  result.engine.wall_seconds = wall.count();
  return result;
}

RunResult simulate(const ConfigReader& config, Engine engine) {
  return simulate(prepare(config), engine);
}

}  // namespace ipusim::run
