// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "sim/answer/answer.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/commands/report_file.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/registry/registry.h"
#include "sim/report/csv.h"
#include "sim/report/output_folder.h"
#include "sim/report/timeline/write_timeline.h"
#include "sim/run/advice/advice_search.h"
#include "sim/run/advice/better_size.h"
#include "sim/run/simulate.h"

namespace ipusim::cli {

namespace {

/// What a run that is tried for advice may hold: runs that take more are announced.
constexpr Bytes kAdviceMemory(4'000'000'000);

Engine engineOf(const RunArguments& arguments) {
  return arguments.engine.value_or(Engine::SystemC);
}

/// Throws when nobody could see the tiles whose waves were asked for.
models::WaveFile wavesOf(const run::Experiment& experiment, const ConfigReader& config,
                         const RunArguments& arguments) {
  if (experiment.executable.system.ipus > 1) throw config.error("machine", "one IPU for --vcd");
  if (experiment.layers) {
    throw config.error("workload", "one program, and not one per layer, for --vcd");
  }
  const std::uint32_t tiles = experiment.executable.system.tiles();
  for (const std::uint32_t tile : arguments.vcd_tiles) {
    if (tile < tiles) continue;
    throw ConfigError(
        fmt::format("--vcd-tiles: wanted tiles from 0 to {}, found {}", tiles - 1, tile));
  }
  return {*arguments.vcd, arguments.vcd_tiles};
}

/// Simulates a program as the options want it seen.
run::RunResult simulated(const run::Experiment& experiment, const ConfigReader& config,
                         const RunArguments& arguments, RunWatch& watch) {
  watch.now("simulating");
  run::SimulateOptions options;
  options.chips = arguments.chips;
  if (arguments.report) options.detail = run::Detail::With;
  if (arguments.vcd) options.waves = wavesOf(experiment, config, arguments);
  const auto simulate = [&](Observer* observer) {
    options.observer = observer;
    return run::simulate(experiment, engineOf(arguments), options);
  };
  Observer* const shown = watch.observerOf(experiment);
  if (!arguments.timeline) return simulate(shown);
  const report::TimelineFile timeline{*arguments.timeline, arguments.timeline_tiles};
  return report::writeTimeline(experiment, config, timeline, shown, simulate);
}

answer::Answer answerOf(const ConfigReader& config, const RunArguments& arguments,
                        RunWatch& watch) {
  answer::AnswerOptions options;
  options.engine = engineOf(arguments);
  options.on_estimate = [&watch](const run::RunWork& work) { watch.expect(work); };
  options.simulate = [&](const run::Experiment& experiment) {
    return simulated(experiment, config, arguments, watch);
  };
  return answer::answerOf(config, options);
}

/// Adds what would make the program of `config` fit or, where it fits, padded sizes that are
/// faster.
void addAdvice(const ConfigReader& config, const RunArguments& arguments, RunWatch& watch,
               answer::ProgramAnswer& done) {
  run::RunResult& result = done.result;
  run::HostLimits limits = arguments.limits;
  limits.seconds =
      std::min(*arguments.advice_seconds, watch.secondsLeft().value_or(*arguments.advice_seconds));
  limits.memory = limits.memory.value_or(kAdviceMemory);
  watch.now(result.fits() ? "trying sizes that are faster" : "trying what would make it fit");
  if (result.fits()) {
    result.better_size = run::betterSize(config, result, limits);
    return;
  }
  result.advice = run::adviceFor(config, limits, run::hostCost(done.work, Engine::ClosedForm));
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

/// Writes what a program has beside its result.
void writeTables(const run::RunResult& result, const report::OutputFolder& folder) {
  folder.write("steps.csv", report::stepsCsv(result));
  folder.write("tiles.csv", report::tilesCsv(result));
  folder.write("variables.csv", report::variablesCsv(result));
  folder.write("liveness.csv", report::livenessCsv(result));
  if (!result.layers.empty()) folder.write("layers.csv", report::layersCsv(result));
}

void writeFiles(const answer::Answer& answer, const RunArguments& arguments,
                const std::optional<report::OutputFolder>& folder) {
  if (folder) {
    folder->write("result.json", answer::jsonTextOf(answer, arguments.table.stats));
    const auto* program = std::get_if<answer::ProgramAnswer>(&answer);
    if (program != nullptr) writeTables(program->result, *folder);
  }
  if (!arguments.report) return;
  const auto page = answer::pageKindOf(answer);
  if (page) writeReport(*page, answer::pageDataOf(answer), *arguments.report);
}

std::string textOf(const answer::Answer& answer, const RunArguments& arguments) {
  return arguments.form == Form::Json ? answer::jsonTextOf(answer, arguments.table.stats)
                                      : answer::textOf(answer, arguments.table);
}

/// The files and the answer without advice: what the run has when a limit ends the search for it.
std::string withoutAdvice(const ConfigReader& config, const RunArguments& arguments,
                          const std::optional<report::OutputFolder>& folder,
                          answer::ProgramAnswer done) {
  if (!done.result.fits()) done.result.advice = run::noAdvice(config);
  const answer::Answer answer = std::move(done);
  writeFiles(answer, arguments, folder);
  return textOf(answer, arguments);
}

/// Says what the file of a workload has, before the run that may take long.
void sayPreview(const ConfigReader& config) {
  const ConfigReader workload = config.table("workload");
  for (const std::string& line : registry::previewOf(workload)) say(line);
}

/// Throws when an option asks for something that only a program on IPUs has.
void expectOptionsOfProgram(const ConfigReader& config, const RunArguments& arguments) {
  const bool is_gpu = answer::kindOf(config) == answer::RunKind::Gpu;
  const auto error = [&](const std::string& option, const char* in_parallel) {
    if (!is_gpu) return config.error("parallel", in_parallel);
    return config.error("gpu", "an IPU for " + option + ", which says nothing of a GPU alone");
  };
  if (is_gpu && arguments.engine) throw error("--engine", "");
  if (arguments.table.stats == report::Stats::With) {
    throw error("--stats", "one IPU for --stats, which says how fast one chip is simulated");
  }
  if (arguments.chips == run::SimulatedChips::Every) {
    throw error("--every-chip", "no such table for --every-chip: a stage is simulated once");
  }
  if (is_gpu && arguments.report) throw error("--report", "");
  if (arguments.timeline) throw error("--timeline", "one IPU for --timeline");
  if (arguments.vcd) throw error("--vcd", "one IPU for --vcd");
}

}  // namespace

ExitCode runCommand(const RunArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  const ConfigReader config = readRunConfig(arguments.config, arguments.overrides);
  expectOutputsApart(arguments);
  std::optional<report::OutputFolder> folder;  // opened before the run, which may take long
  if (arguments.out) folder.emplace(*arguments.out);
  if (arguments.report || arguments.timeline) report::expectPages();
  if (arguments.report) expectWritableFile(*arguments.report);
  if (arguments.timeline) expectWritableFile(*arguments.timeline);
  if (arguments.vcd) expectWritableFile(*arguments.vcd);
  if (answer::kindOf(config) != answer::RunKind::Program) expectOptionsOfProgram(config, arguments);
  if (isOnnx(arguments.config)) sayPreview(config);
  std::optional<RunWatch> watch(std::in_place, arguments.limits, engineOf(arguments));
  answer::Answer answer = answerOf(config, arguments, *watch);
  auto* const program = std::get_if<answer::ProgramAnswer>(&answer);
  if (program != nullptr && arguments.advice_seconds) {
    const bool is_limited = arguments.limits.seconds || arguments.limits.memory;
    if (is_limited) watch->endWith(withoutAdvice(config, arguments, folder, *program));
    addAdvice(config, arguments, *watch, *program);
  }
  watch.reset();
  writeFiles(answer, arguments, folder);
  print(textOf(answer, arguments));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
