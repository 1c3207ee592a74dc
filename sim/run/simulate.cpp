// SPDX-License-Identifier: Apache-2.0
#include "sim/run/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/config/key_request.h"
#include "base/config/size_error.h"
#include "base/numbers/whole_number.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "models/ipu/machine/machine_notes.h"
#include "models/ipu/machine/system.h"
#include "sim/compile/compile.h"
#include "sim/registry/registry.h"
#include "sim/run/detail/detail_of.h"
#include "sim/run/separate.h"
#include "sim/run/summary/summarize.h"
#include "sim/run/with_source.h"

namespace ipusim::run {

namespace {

/// The value of a parameter as a title shows it. A whole number may be written as 1e3, which JSON
/// has as 1000.0: `is_whole` says that one was asked for.
std::string parameterText(const SortedJson& value, bool is_whole) {
  if (value.is_string()) return value.get<std::string>();
  if (is_whole && value.is_number_float()) {
    if (const auto whole = wholeNumberOf(value.get<double>())) return std::to_string(*whole);
  }
  if (!is_whole || !value.is_array()) return value.dump();
  std::vector<std::string> elements;
  for (const SortedJson& element : value) elements.push_back(parameterText(element, true));
  return fmt::format("[{}]", fmt::join(elements, ","));
}

std::vector<std::pair<std::string, std::string>> parametersOf(const ConfigReader& workload) {
  const ConfigValues values = workload.values();
  std::set<std::string> wholes;
  for (const AskedKey& asked : workload.askedKeys()) {
    const bool is_whole = asked.type == kWholeNumber || asked.type == kWholeNumbers;
    if (is_whole) wholes.insert(asked.key);
  }
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& key : workload.keys()) {
    if (key == "kind") continue;
    const bool is_whole = wholes.count("workload." + key) > 0;
    parameters.emplace_back(key, parameterText(values.json().at(key), is_whole));
  }
  return parameters;
}

/// The host copies that the [host] table asks for.
struct HostCopies {
  bool in = false;
  bool out = false;
  HostPath path = HostPath::Link;
};

HostCopies readHostCopies(const ConfigReader& config, bool knows_operands) {
  if (!config.has("host")) return {};
  const ConfigReader host = config.table("host");
  HostCopies copies;
  copies.in = host.flag("copy_in", false);
  copies.out = host.flag("copy_out", false);
  if (host.flag("framework", false)) copies.path = HostPath::Framework;
  if (!copies.in && !copies.out) {
    if (copies.path == HostPath::Link) return copies;
    throw host.error("framework", "copy_in or copy_out beside it: it copies nothing else");
  }
  if (!knows_operands) {
    throw host.error(copies.in ? "copy_in" : "copy_out",
                     "false: this workload has no operands that the host knows");
  }
  return copies;
}

std::vector<Tensor> tensorsOf(const std::vector<HostTensor>& of_host) {
  std::vector<Tensor> tensors;
  tensors.reserve(of_host.size());
  for (const HostTensor& tensor : of_host) tensors.push_back(tensor.tensor);
  return tensors;
}

/// Puts the copies of the host around the program of the workload's graph.
void completeGraph(const HostCopies& copies, workloads::BuiltWorkload& workload) {
  Graph& graph = workload.graph;
  Program& program = graph.program();
  const HostTensors host = copies.in || copies.out ? workload.host() : HostTensors();
  if (copies.in) {
    program.add(
        graph.stream("host/copyIn", tensorsOf(host.inputs), HostDirection::ToChip, copies.path));
  }
  program.add(std::move(workload.program));
  if (copies.out) {
    program.add(
        graph.stream("host/copyOut", tensorsOf(host.outputs), HostDirection::ToHost, copies.path));
  }
}

/// Tells a listener of the work of all graphs so far.
class WorkReporter {
 public:
  explicit WorkReporter(const OnWorkEstimate& on_estimate) : on_estimate_(on_estimate) {}

  /// Tells of a graph that will be built, where that is known to take long or much memory.
  void expect(const workloads::LeastSize& least, const System& system) const {
    constexpr double kMany = 1e6;  // fewer are made in a second
    if (!on_estimate_ || least.parts() < kMany) return;
    const HostWork work = leastWork(least, system.tiles(), system.ipus);
    on_estimate_({work, work, false});
  }

  /// Tells of a graph that stays beside the earlier ones.
  void tell(const Graph& graph, const System& system) {
    if (on_estimate_) tell(hostWork(graph, system.tiles(), system.ipus));
  }

  /// Tells of a graph that is compared with. Its numbers are not looked at.
  void tellCompared(const Graph& graph, const System& system) {
    if (on_estimate_) tell(withoutExecution(hostWork(graph, system.tiles(), system.ipus)));
  }

  /// Forgets the graphs so far, but not the time that they took.
  void release() { so_far_.held = {}; }

 private:
  void tell(const HostWork& work) {
    so_far_ = {so_far_.all + work, so_far_.held + work, true};
    on_estimate_(so_far_);
  }

  const OnWorkEstimate& on_estimate_;
  RunWork so_far_;
};

/// The dense workload that `experiment` is compared with. It has the host copies that `config` asks
/// for.
std::shared_ptr<Experiment> denseOf(const Experiment& experiment, const ConfigReader& config,
                                    const System& system, WorkReporter& teller) {
  if (!experiment.workload.dense) return nullptr;
  auto dense = std::make_shared<Experiment>();
  dense->config = experiment.config;
  dense->workload = experiment.workload.dense();
  dense->workload.prediction_kind = experiment.workload.prediction_kind;
  dense->copies_by_framework = experiment.copies_by_framework;
  completeGraph(readHostCopies(config, dense->workload.host != nullptr), dense->workload);
  teller.tellCompared(dense->workload.graph, system);
  dense->executable =
      compiler::compileAndRelease(dense->workload.graph, system, dense->workload.timing).executable;
  return dense;
}

DenseResult denseResult(const RunResult& dense, const RunResult& structured) {
  DenseResult result;
  result.fits = dense.fits();
  result.parameters = dense.model ? dense.model->count() : 0;
  result.graph = dense.graph;
  result.total_bytes = dense.memory.total;
  result.max_tile_bytes = dense.memory.max_tile_bytes;
  result.cycles = dense.time.cycles;
  // The time of a training step includes that of the host.
  result.seconds = dense.training ? dense.training->seconds : dense.time.seconds;
  const double own = structured.training ? structured.training->seconds : structured.time.seconds;
  if (dense.fits() && structured.fits() && own > 0) result.speedup = result.seconds / own;
  result.memory_ratio = static_cast<double>(dense.memory.total.value()) /
                        static_cast<double>(structured.memory.total.value());
  return result;
}

/// Compiles the graph of `workload`.
compiler::Executable compiled(workloads::BuiltWorkload& workload, const System& system) {
  return withSource(workload, [&] {
    return compiler::compileAndRelease(workload.graph, system, workload.timing,
                                       workload.record.value_or(ExecutionRecord()))
        .executable;
  });
}

/// Adds up the work of a compiled program.
struct WorkCounter {
  const compiler::Executable& executable;
  Flops flops;

  void operator()(StepId step) {
    for (const compiler::BoundFamily& family : executable.lowered.steps[indexOf(step)].families) {
      flops += family.type->work.flops * family.count;
    }
  }
  void operator()(const compiler::Loop& loop) {
    WorkCounter body{executable, {}};
    walk(loop.body, body);
    flops += body.flops * loop.iterations;
  }
};

/// The work of all vertices that run. A program that depends on data does what its record says.
Flops flopsOf(const compiler::Executable& executable) {
  WorkCounter counter{executable, {}};
  walk(executable.lowered.control, counter);
  return counter.flops;
}

/// Throws for a workload whose layers are separate programs.
void expectOneProgram(const ConfigReader& workload, const workloads::BuiltWorkload& built) {
  if (built.separate.empty()) return;
  throw workload.error(workload.has("compile") ? "compile" : "kind",
                       "one program, and not one per layer");
}

Experiment prepareAll(const ConfigReader& config, const System& system,
                      const ConfigReader& workload, const OnWorkEstimate& on_estimate) {
  WorkReporter teller(on_estimate);
  Experiment experiment;
  experiment.sizes = workload;
  experiment.config = config.values();
  if (on_estimate) teller.expect(registry::leastSize(workload, system), system);
  experiment.workload = registry::buildWorkload(workload, system);
  for (std::string& note : machineNotes(config)) {
    experiment.workload.warnings.push_back(std::move(note));
  }
  experiment.workload_kind = workload.text("kind");
  experiment.parameters = parametersOf(workload);
  const HostCopies copies = readHostCopies(config, experiment.workload.host != nullptr);
  experiment.copies_by_framework = copies.path == HostPath::Framework;
  completeGraph(copies, experiment.workload);
  experiment.compare = readCompare(config);
  if (experiment.compare && system.ipus > 1) {
    throw config.error("compare", "no such table: a GPU beside several IPUs is not modelled");
  }
  config.expectAllRead();
  if (!experiment.workload.separate.empty()) {
    if (system.ipus > 1) {
      throw config.error("machine", "one IPU: each layer is a program of its own");
    }
    experiment.layers = LayerTarget{system, on_estimate};
    experiment.executable.system = system;
    return experiment;
  }
  teller.tell(experiment.workload.graph, system);
  experiment.executable = compiled(experiment.workload, system);
  if (!experiment.workload.flops) experiment.workload.flops = flopsOf(experiment.executable);
  experiment.dense = denseOf(experiment, config, system, teller);
  return experiment;
}

/// Simulates each different program of a layer once.
RunResult simulateLayers(const Experiment& experiment, Engine engine, SimulatedChips chips) {
  std::vector<Result> programs(experiment.workload.separate.size());
  std::chrono::duration<double> wall{};
  forEachLayer(experiment, [&](std::size_t layer, const Experiment& program) {
    const auto begin = std::chrono::steady_clock::now();
    const Measured measured = measure(program.executable, engine, nullptr, chips);
    wall += std::chrono::steady_clock::now() - begin;
    programs[layer] = summarizeRun(program.workload.graph, program.executable, measured);
  });
  RunResult result = joinLayers(experiment, programs);
  addExperiment(experiment, result);
  result.engine.kind = engine;
  result.engine.wall_seconds = wall.count();
  return result;
}

/// Runs the program of `experiment`, and fills in the detail of its result where it is wanted.
RunResult simulateProgram(const Experiment& experiment, Engine engine,
                          const SimulateOptions& options) {
  const compiler::Executable& executable = experiment.executable;
  std::optional<TileBands> bands;
  std::optional<FirstIterations> heard;
  if (options.detail == Detail::With) {
    bands = bandsFor(executable.system.tiles(), executable.lowered.steps.size());
    // On several IPUs nothing would tell it of steps.
    if (executable.system.ipus == 1)
      heard.emplace(executable.lowered.steps.size(), *bands, options.observer);
  }
  const auto begin = std::chrono::steady_clock::now();
  const Measured measured = measure(executable, engine, heard ? &*heard : options.observer,
                                    options.chips, options.waves ? &*options.waves : nullptr);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;

  RunResult result = summarize(experiment, measured);
  result.engine.kind = engine;
  result.engine.wall_seconds = wall.count();
  if (bands) {
    result.detail = detailOf(executable, measured, *bands, heard ? &*heard : nullptr);
    std::vector<std::string> layers;
    for (const LayerResult& layer : result.layers) layers.push_back(layer.name);
    std::vector<std::uint64_t> iterations;
    for (const StepResult& step : result.steps) iterations.push_back(step.iterations);
    addOperations(executable, layers, iterations, *result.detail);
  }
  return result;
}

RunResult simulateAll(const Experiment& experiment, Engine engine, const SimulateOptions& options) {
  if (experiment.layers) return simulateLayers(experiment, engine, options.chips);
  RunResult result = simulateProgram(experiment, engine, options);
  if (experiment.dense) {
    SimulateOptions of_dense;
    of_dense.chips = options.chips;
    result.dense = denseResult(simulateAll(*experiment.dense, engine, of_dense), result);
  }
  return result;
}

BuiltConfig buildAll(const ConfigReader& config, const System& system,
                     const ConfigReader& workload) {
  BuiltConfig built{workload.text("kind"), registry::buildWorkload(workload, system), system};
  expectOneProgram(workload, built.workload);
  completeGraph(readHostCopies(config, built.workload.host != nullptr), built.workload);
  static_cast<void>(readCompare(config));
  config.expectAllRead();
  return built;
}

}  // namespace

BuiltConfig build(const ConfigReader& config) {
  const System system = readSystem(config);
  const ConfigReader workload = config.table("workload");
  return withinLimits(workload, [&] { return buildAll(config, system, workload); });
}

Experiment prepare(const ConfigReader& config, const OnWorkEstimate& on_estimate) {
  const System system = readSystem(config);
  const ConfigReader workload = config.table("workload");
  return withinLimits(workload, [&] { return prepareAll(config, system, workload, on_estimate); });
}

void forEachLayer(const Experiment& experiment, const UseLayer& use) {
  const LayerTarget& target = experiment.layers.value();
  const auto& separate = experiment.workload.separate;
  WorkReporter teller(target.on_estimate);
  for (std::size_t l = 0; l < separate.size(); ++l) {
    if (separate[l].equal_to != l) continue;
    Experiment layer;
    layer.config = experiment.config;
    layer.workload_kind = experiment.workload_kind;
    layer.workload = separate[l].build();
    layer.workload.prediction_kind = experiment.workload.prediction_kind;
    completeGraph({}, layer.workload);
    teller.tell(layer.workload.graph, target.system);
    layer.executable = compiled(layer.workload, target.system);
    use(l, layer);
    teller.release();
  }
}

void expectPlayable(const ConfigReader& config, Engine engine) {
  if (engine != Engine::SystemC) return;
  if (readSystem(config).ipu.exchange != ExchangeMode::Bound) return;
  const std::string wanted =
      "\"scheduled\" (\"bound\" packs each port by itself, which no chip could play: use "
      "--engine closed-form)";
  const bool stands_here = config.isTable("machine") && config.table("machine").has("exchange");
  throw stands_here ? config.table("machine").error("exchange", wanted)
                    : config.error("machine", "one with exchange = " + wanted);
}

RunResult simulate(const Experiment& experiment, Engine engine, const SimulateOptions& options) {
  const auto all = [&] { return simulateAll(experiment, engine, options); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

RunResult simulate(const ConfigReader& config, Engine engine) {
  expectPlayable(config, engine);
  return simulate(prepare(config), engine);
}

}  // namespace ipusim::run
