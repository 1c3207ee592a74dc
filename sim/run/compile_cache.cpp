// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/size_error.h"
#include "models/ipu/system/pod.h"

namespace ipusim::run {

using compiler::Stage;

namespace {

constexpr const char* kMachine = "machine";
constexpr const char* kCompare = "compare";

/// The tables of the config that the program is built from. A program on several IPUs
/// depends on all of their system.
std::string programOf(const ConfigReader& config, const Pod& pod) {
  SortedJson tables = config.values().json();
  if (pod.ipus == 1) tables.erase(kMachine);
  tables.erase(kCompare);
  return tables.dump();
}

void recompile(Experiment& experiment, const ConfigValues& config, const Machine& machine) {
  experiment.config = config;
  compiler::recompile(experiment.executable, machine, experiment.workload.timing);
  if (experiment.dense) recompile(*experiment.dense, config, machine);
}

void recompile(Experiment& experiment, const ConfigReader& config, const Machine& machine) {
  experiment.sizes = config.table("workload");
  experiment.compare = readCompare(config);
  if (config.has(kCompare)) config.table(kCompare).expectAllRead();
  withinLimits(*experiment.sizes, [&] { recompile(experiment, config.values(), machine); });
}

}  // namespace

CompileInputs compileInputs(const ConfigReader& config) {
  const Pod pod = readMachineOrPod(config);
  return {programOf(config, pod), flatMachine(pod)};
}

Stage firstToDiffer(const CompileInputs& a, const CompileInputs& b) {
  return a.program == b.program ? compiler::firstToDiffer(a.machine, b.machine) : Stage::Lowering;
}

const Experiment& CompileCache::prepare(const ConfigReader& config,
                                        const OnWorkEstimate& on_estimate) {
  // Moved out first, so that an exception below leaves no incomplete experiment behind.
  std::optional<Experiment> last = std::exchange(experiment_, std::nullopt);
  CompileInputs inputs = compileInputs(config);
  const bool same_graph =
      last && !last->executable.pod && !last->layers && inputs.program == program_ &&
      compiler::firstToDiffer(inputs.machine, last->executable.machine) != Stage::Lowering;
  if (same_graph) {
    recompile(*last, config, inputs.machine);
  } else {
    last.reset();  // freed first: two experiments are more than a small memory holds
    last.emplace(run::prepare(config, on_estimate));
  }
  experiment_ = std::move(last);
  program_ = std::move(inputs.program);
  return *experiment_;
}

}  // namespace ipusim::run
