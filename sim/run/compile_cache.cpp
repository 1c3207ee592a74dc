// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/size_error.h"
#include "models/ipu/system/machine_reader.h"
#include "sim/compile/compile.h"

namespace ipusim::run {

using Json = nlohmann::ordered_json;

namespace {

using compiler::Stage;

/// What only exchanges are scheduled by. The longest delay, the syncs, the launch of a vertex and
/// the entry of a compute set are read before, where operations are planned.
constexpr std::array<const char*, 4> kExchangeKeys = {"exchange", "start_delay_per_column_cycles",
                                                      "start_delay_per_row_cycles",
                                                      "start_delay_per_receiver_row_cycles"};
constexpr std::array<const char*, 7> kMemoryKeys = {"stack_bytes",
                                                    "control_program_bytes",
                                                    "control_per_step_bytes",
                                                    "exchange_entry_bytes",
                                                    "exchange_per_send_bytes",
                                                    "exchange_per_receive_bytes",
                                                    "host_exchange_code_bytes"};
constexpr std::array<const char*, 3> kTimingKeys = {"clock_hz", "supervisor_call_cycles",
                                                    "cycle_counter_cycles"};
constexpr const char* kCompare = "compare";
const std::string kMachinePrefix = "machine.";

template <typename Keys>
bool holds(const Keys& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// The first stage that reads a key of the machine.
Stage machineKeyReadBy(const std::string& key) {
  if (holds(kTimingKeys, key)) return Stage::Timing;
  if (holds(kMemoryKeys, key)) return Stage::Memory;
  return holds(kExchangeKeys, key) ? Stage::Exchange : Stage::Lowering;
}

/// The config in parts, by what reads them.
CompileCache::Parts partsOf(const ConfigReader& config) {
  Json json = Json::parse(config.json());
  json.erase(kCompare);
  CompileCache::Parts parts;
  if (json.contains("machine") && json["machine"].is_object()) {
    Json lowered;
    for (const auto& [key, value] : json["machine"].items()) {
      const Stage stage = machineKeyReadBy(key);
      if (stage == Stage::Lowering) lowered[key] = value;
      parts[static_cast<std::size_t>(stage)] += key + '=' + value.dump() + '\n';
    }
    // A table that only names a preset is that preset.
    const bool is_preset = lowered.size() == 1 && lowered.contains("base");
    json["machine"] = is_preset ? lowered["base"] : lowered;
  }
  parts[static_cast<std::size_t>(Stage::Lowering)] = json.dump();
  return parts;
}

/// The first stage that reads a part that differs; Timing, which every config has its own of, if
/// there is none.
Stage firstToDiffer(const CompileCache::Parts& a, const CompileCache::Parts& b) {
  std::size_t stage = 0;
  while (stage < a.size() && a[stage] == b[stage]) ++stage;
  return stage < a.size() ? static_cast<Stage>(stage) : Stage::Timing;
}

/// A transfer from or to the host takes seconds, which were made cycles of that clock.
bool countsByTheClock(const compiler::Executable& executable) {
  return std::any_of(executable.steps.begin(), executable.steps.end(),
                     [](const compiler::Step& step) { return step.kind == StepKind::HostCopy; });
}

bool canRecompile(const Experiment& experiment, const Machine& machine) {
  if (experiment.executable.machine.clock_hz == machine.clock_hz) return true;
  return !countsByTheClock(experiment.executable) &&
         !(experiment.dense && countsByTheClock(experiment.dense->executable));
}

void recompile(Experiment& experiment, const std::string& config, const Machine& machine,
               Stage from) {
  experiment.config = config;
  compiler::recompile(experiment.executable, machine, experiment.workload.timing, from);
  if (experiment.dense) recompile(*experiment.dense, config, machine, from);
}

/// Whether that was possible.
bool recompiled(Experiment& experiment, const ConfigReader& config, Stage from) {
  const Machine machine = readMachine(config);
  if (!canRecompile(experiment, machine)) return false;
  experiment.sizes = config.table("workload");
  experiment.compare = readCompare(config);
  if (config.has(kCompare)) config.table(kCompare).expectAllRead();
  withinLimits(*experiment.sizes, [&] { recompile(experiment, config.json(), machine, from); });
  return true;
}

}  // namespace

compiler::Stage firstReadBy(const std::string& dotted_key) {
  if (dotted_key == kCompare || dotted_key.rfind(std::string(kCompare) + '.', 0) == 0) {
    return Stage::Timing;
  }
  if (dotted_key.rfind(kMachinePrefix, 0) != 0) return Stage::Lowering;
  return machineKeyReadBy(dotted_key.substr(kMachinePrefix.size()));
}

const Experiment& CompileCache::prepare(const ConfigReader& config) {
  Parts parts = partsOf(config);
  const Stage from = experiment_ ? firstToDiffer(parts, parts_) : Stage::Lowering;
  // Taken out, so that what throws below leaves no half of one behind.
  std::optional<Experiment> last = std::exchange(experiment_, std::nullopt);
  if (from == Stage::Lowering || !recompiled(*last, config, from)) {
    last.reset();  // two of them are more than a small memory holds
    last.emplace(run::prepare(config));
  }
  experiment_ = std::move(last);
  parts_ = std::move(parts);
  return *experiment_;
}

}  // namespace ipusim::run
