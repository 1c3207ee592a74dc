// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compile_cache.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/config/size_error.h"
#include "base/text/json.h"
#include "models/ipu/machine/system.h"

namespace ipusim::run {

using compiler::Stage;

namespace {

constexpr const char* kMachine = "machine";
constexpr const char* kCompare = "compare";

/// The tables of the config that the program is built from. A program on several IPUs
/// depends on all of their system.
std::string programOf(const ConfigReader& config, const System& system) {
  SortedJson tables = config.values().json();
  if (system.ipus == 1) tables.erase(kMachine);
  tables.erase(kCompare);
  return tables.dump();
}

void recompile(Experiment& experiment, const ConfigValues& config, const System& system) {
  experiment.config = config;
  compiler::recompile(experiment.executable, system, experiment.workload.timing);
  if (experiment.dense) recompile(*experiment.dense, config, system);
}

void recompile(Experiment& experiment, const ConfigReader& config, const System& system) {
  experiment.sizes = config.table("workload");
  experiment.compare = readCompare(config);
  if (config.has(kCompare)) config.table(kCompare).expectAllRead();
  withinLimits(*experiment.sizes, [&] { recompile(experiment, config.values(), system); });
}

}  // namespace

CompileInputs compileInputs(const ConfigReader& config) {
  const System system = readSystem(config);
  std::string program = programOf(config, system);
  return {std::move(program), system};
}

Stage firstToDiffer(const CompileInputs& a, const CompileInputs& b) {
  return a.program == b.program ? compiler::firstToDiffer(a.system.ipu, b.system.ipu)
                                : Stage::Lowering;
}

const Experiment& CompileCache::prepare(const ConfigReader& config,
                                        const OnWorkEstimate& on_estimate) {
  // Moved out first, so that an exception below leaves no incomplete experiment behind.
  std::optional<Experiment> last = std::exchange(experiment_, std::nullopt);
  CompileInputs inputs = compileInputs(config);
  const bool same_graph =
      last && last->executable.system.ipus == 1 && !last->layers && inputs.program == program_ &&
      compiler::firstToDiffer(inputs.system.ipu, last->executable.system.ipu) != Stage::Lowering;
  if (same_graph) {
    recompile(*last, config, inputs.system);
  } else {
    last.reset();  // freed first: two experiments are more than a small memory holds
    last.emplace(run::prepare(config, on_estimate));
  }
  experiment_ = std::move(last);
  program_ = std::move(inputs.program);
  return *experiment_;
}

}  // namespace ipusim::run
