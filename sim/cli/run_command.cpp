// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands.h"
#include "sim/cli/config_file.h"
#include "sim/cli/output_files.h"
#include "sim/cli/report_file.h"
#include "sim/cli/run_watch.h"
#include "sim/cli/terminal.h"
#include "sim/parallel/pipeline/page.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/report/csv.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/output_folder.h"
#include "sim/report/page/page_data.h"
#include "sim/report/table.h"
#include "sim/report/timeline/write_timeline.h"
#include "sim/run/advice_search.h"
#include "sim/run/better_size.h"
#include "sim/run/simulate.h"

namespace ipusim::cli {

namespace {

/// What a run that is tried for advice may hold: runs that take more are announced.
constexpr Bytes kAdviceMemory(4'000'000'000);

/// Throws when nobody could see the tiles whose waves were asked for.
WaveFile wavesOf(const run::Experiment& experiment, const ConfigReader& config,
                 const RunArguments& arguments) {
  if (experiment.executable.pod) throw config.error("machine", "one IPU for --vcd");
  if (experiment.layers) {
    throw config.error("workload", "one program, and not one per layer, for --vcd");
  }
  const std::uint32_t tiles = experiment.executable.machine.tiles;
  for (const std::uint32_t tile : arguments.vcd_tiles) {
    if (tile < tiles) continue;
    throw ConfigError(
        fmt::format("--vcd-tiles: wanted tiles from 0 to {}, found {}", tiles - 1, tile));
  }
  return {*arguments.vcd, arguments.vcd_tiles};
}

/// The result of a run, and what the run took of this computer by its estimate.
struct Simulated {
  run::RunResult result;
  run::RunWork work;
};

Simulated simulated(const ConfigReader& config, const RunArguments& arguments, RunWatch& watch) {
  const Engine engine = arguments.engine.value_or(Engine::SystemC);
  run::RunWork expected;
  const auto on_estimate = [&](const run::RunWork& work) {
    expected = work;
    watch.expect(work);
  };
  const run::Experiment experiment = run::prepare(config, on_estimate);
  watch.now("simulating");
  run::SimulateOptions options;
  options.chips = arguments.chips;
  if (arguments.report) options.detail = run::Detail::With;
  if (arguments.vcd) options.waves = wavesOf(experiment, config, arguments);
  const auto simulate = [&](Observer* observer) {
    options.observer = observer;
    return run::simulate(experiment, engine, options);
  };
  Observer* const shown = watch.observerOf(experiment);
  if (!arguments.timeline) return {simulate(shown), expected};
  const run::TimelineFile timeline{*arguments.timeline, arguments.timeline_tiles};
  return {run::writeTimeline(experiment, config, timeline, shown, simulate), expected};
}

/// Adds what would make the program of `config` fit or, where it fits, padded sizes that are
/// faster.
void addAdvice(const ConfigReader& config, const RunArguments& arguments, RunWatch& watch,
               Simulated& done) {
  run::RunResult& result = done.result;
  const auto read = [&arguments](const std::vector<Override>& more) {
    std::vector<Override> all = arguments.overrides;
    all.insert(all.end(), more.begin(), more.end());
    return readRunConfig(arguments.config, all);
  };
  run::HostLimits limits = arguments.limits;
  limits.seconds =
      std::min(*arguments.advice_seconds, watch.secondsLeft().value_or(*arguments.advice_seconds));
  limits.memory = limits.memory.value_or(kAdviceMemory);
  watch.now(result.fits() ? "trying sizes that are faster" : "trying what would make it fit");
  if (result.fits()) {
    result.better_size = run::betterSize(config, read, result, limits);
    return;
  }
  result.advice =
      run::adviceFor(config, read, limits, run::hostCost(done.work, Engine::ClosedForm));
}

/// Throws where a file would be written over the config or another file of this run.
void expectOutputsApart(const RunArguments& arguments) {
  OutputFiles()
      .add("--out", arguments.out,
           {"result.json", "steps.csv", "tiles.csv", "variables.csv", "liveness.csv", "layers.csv"})
      .add("--report", arguments.report)
      .add("--timeline", arguments.timeline)
      .add("--vcd", arguments.vcd)
      .expectApart({arguments.config});
}

void writeFiles(const run::RunResult& result, const run::OutputFolder& folder, run::Stats stats) {
  folder.write("result.json", run::jsonText(result, stats));
  folder.write("steps.csv", run::stepsCsv(result));
  folder.write("tiles.csv", run::tilesCsv(result));
  folder.write("variables.csv", run::variablesCsv(result));
  folder.write("liveness.csv", run::livenessCsv(result));
  if (!result.layers.empty()) folder.write("layers.csv", run::layersCsv(result));
}

void writeAllFiles(const run::RunResult& result, const RunArguments& arguments,
                   const std::optional<run::OutputFolder>& folder) {
  if (folder) writeFiles(result, *folder, arguments.table.stats);
  if (arguments.report) writeReport(run::PageKind::Run, run::pageData(result), *arguments.report);
}

std::string answerOf(const run::RunResult& result, const RunArguments& arguments) {
  return arguments.form == Form::Json ? run::jsonText(result, arguments.table.stats)
                                      : run::tableText(result, arguments.table);
}

/// The files and the answer without advice: what the run has when a limit ends the search for it.
std::string withoutAdvice(const ConfigReader& config, const RunArguments& arguments,
                          const std::optional<run::OutputFolder>& folder, run::RunResult result) {
  if (!result.fits()) result.advice = run::noAdvice(config);
  writeAllFiles(result, arguments, folder);
  return answerOf(result, arguments);
}

ExitCode runOnIpu(const ConfigReader& config, const RunArguments& arguments,
                  const std::optional<run::OutputFolder>& folder) {
  const Engine engine = arguments.engine.value_or(Engine::SystemC);
  run::expectPlayable(config, engine);
  std::optional<RunWatch> watch(std::in_place, arguments.limits, engine);
  Simulated done = simulated(config, arguments, *watch);
  if (arguments.advice_seconds) {
    const bool is_limited = arguments.limits.seconds || arguments.limits.memory;
    if (is_limited) watch->endWith(withoutAdvice(config, arguments, folder, done.result));
    addAdvice(config, arguments, *watch, done);
  }
  watch.reset();
  writeAllFiles(done.result, arguments, folder);
  print(answerOf(done.result, arguments));
  return ExitCode::Done;
}

ExitCode runParallel(const ConfigReader& config, const RunArguments& arguments,
                     const std::optional<run::OutputFolder>& folder) {
  const parallel::ParallelTraining training = parallel::readParallel(config);
  if (arguments.table.stats == run::Stats::With) {
    throw config.error("parallel",
                       "one IPU for --stats, which says how fast one chip is simulated");
  }
  if (arguments.chips == run::SimulatedChips::Every) {
    throw config.error("parallel", "no such table for --every-chip: a stage is simulated once");
  }
  if (arguments.timeline) throw config.error("parallel", "one IPU for --timeline");
  if (arguments.vcd) throw config.error("parallel", "one IPU for --vcd");
  const Engine engine = arguments.engine.value_or(Engine::SystemC);
  RunWatch watch(arguments.limits, engine);
  const parallel::ParallelPrediction prediction = parallel::predictParallel(
      training, engine, [&watch](const run::RunWork& work) { watch.expect(work); });
  const std::string json = jsonTextOf(parallel::parallelJson(training, prediction), 2) + '\n';
  if (folder) folder->write("result.json", json);
  if (arguments.report) {
    writeReport(run::PageKind::Parallel, parallel::parallelPageData(training, prediction),
                *arguments.report);
  }
  print(arguments.form == Form::Json ? json : parallel::parallelText(training, prediction));
  return ExitCode::Done;
}

/// Throws when an option asks for something that only the run of an IPU has.
void expectNothingOfAnIpu(const ConfigReader& config, const RunArguments& arguments) {
  const auto error = [&config](const char* option) {
    return config.error("gpu",
                        fmt::format("an IPU for {}, which says nothing of a GPU alone", option));
  };
  if (arguments.engine) throw error("--engine");
  if (arguments.table.stats == run::Stats::With) throw error("--stats");
  if (arguments.chips == run::SimulatedChips::Every) throw error("--every-chip");
  if (arguments.report) throw error("--report");
  if (arguments.timeline) throw error("--timeline");
  if (arguments.vcd) throw error("--vcd");
}

ExitCode runGpuAlone(const ConfigReader& config, const RunArguments& arguments,
                     const std::optional<run::OutputFolder>& folder) {
  expectNothingOfAnIpu(config, arguments);
  const run::GpuExperiment experiment = run::prepareGpuAlone(config);
  const std::string json = jsonTextOf(run::gpuAloneJson(experiment), 2) + '\n';
  if (folder) folder->write("result.json", json);
  print(arguments.form == Form::Json ? json : run::gpuAloneText(experiment));
  return ExitCode::Done;
}

}  // namespace

ExitCode runCommand(const RunArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  const ConfigReader config = readRunConfig(arguments.config, arguments.overrides);
  expectOutputsApart(arguments);
  std::optional<run::OutputFolder> folder;  // opened before the run, which may take long
  if (arguments.out) folder.emplace(*arguments.out);
  if (arguments.report || arguments.timeline) run::expectPages();
  if (arguments.report) expectWritableFile(*arguments.report);
  if (arguments.timeline) expectWritableFile(*arguments.timeline);
  if (arguments.vcd) expectWritableFile(*arguments.vcd);
  if (run::isGpuAlone(config)) return runGpuAlone(config, arguments, folder);
  if (parallel::isParallel(config)) return runParallel(config, arguments, folder);
  return runOnIpu(config, arguments, folder);
}

}  // namespace ipusim::cli
