// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sim/compile/compile.h"

namespace ipusim::run {

using Json = nlohmann::ordered_json;

namespace {

/// No others of sync: exchanges are scheduled by when a sync releases each tile.
constexpr std::array<const char*, 6> kMachineKeys = {"clock_hz",
                                                     "sync_base_cycles",
                                                     "vertex_launch_cycles",
                                                     "supervisor_call_cycles",
                                                     "compute_set_entry_cycles",
                                                     "cycle_counter_cycles"};
constexpr const char* kCompare = "compare";
const std::string kMachinePrefix = "machine.";

/// What the program is compiled from.
std::string compiledPart(const ConfigReader& config) {
  Json json = Json::parse(config.json());
  json.erase(kCompare);
  if (!json.contains("machine") || !json["machine"].is_object()) return json.dump();
  for (const char* key : kMachineKeys) json["machine"].erase(key);
  // A table that only names a preset is that preset.
  if (json["machine"].size() == 1 && json["machine"].contains("base")) {
    const Json base = json["machine"]["base"];
    json["machine"] = base;
  }
  return json.dump();
}

/// A transfer from or to the host takes seconds, which were made cycles of that clock.
bool countsByTheClock(const compiler::Executable& executable) {
  return std::any_of(
      executable.steps.begin(), executable.steps.end(),
      [](const compiler::Step& step) { return step.kind == compiler::StepKind::HostCopy; });
}

bool canRetime(const Experiment& experiment, const models::Machine& machine) {
  if (experiment.executable.machine.clock_hz == machine.clock_hz) return true;
  return !countsByTheClock(experiment.executable) &&
         !(experiment.dense && countsByTheClock(experiment.dense->executable));
}

void retime(Experiment& experiment, const std::string& config, const models::Machine& machine) {
  experiment.config = config;
  compiler::retime(experiment.executable, machine, timingOf(experiment.workload.measurement));
  if (experiment.dense) retime(*experiment.dense, config, machine);
}

}  // namespace

bool isReadAfterCompile(const std::string& dotted_key) {
  if (dotted_key == kCompare || dotted_key.rfind(std::string(kCompare) + '.', 0) == 0) return true;
  return std::any_of(kMachineKeys.begin(), kMachineKeys.end(),
                     [&](const char* key) { return dotted_key == kMachinePrefix + key; });
}

const Experiment& CompileCache::prepare(const ConfigReader& config) {
  std::string compiled = compiledPart(config);
  if (experiment_ && compiled == compiled_) {
    const models::Machine machine = models::readMachine(config);
    if (canRetime(*experiment_, machine)) {
      experiment_->compare = readCompare(config);
      if (config.has(kCompare)) config.table(kCompare).expectAllRead();
      retime(*experiment_, config.json(), machine);
      return *experiment_;
    }
  }
  experiment_.reset();  // two of them are more than a small memory holds
  experiment_.emplace(run::prepare(config));
  compiled_ = std::move(compiled);
  return *experiment_;
}

}  // namespace ipusim::run
