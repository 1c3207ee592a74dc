// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/write_timeline.h"

#include <fmt/format.h>

#include <optional>

#include "base/files/write_file.h"
#include "ipusim/error.h"
#include "sim/report/timeline/timeline.h"
#include "sim/run/summary/summarize.h"

namespace ipusim::report {

namespace {

void expectHeard(const run::Experiment& experiment, const ConfigReader& config,
                 const TimelineFile& file) {
  if (experiment.executable.system.ipus > 1)
    throw config.error("machine", "one IPU for --timeline");
  if (experiment.layers) {
    throw config.error("workload", "one program, and not one per layer, for --timeline");
  }
  const std::uint32_t tiles = experiment.executable.system.tiles();
  for (const std::uint32_t tile : file.tiles) {
    if (tile < tiles) continue;
    throw ConfigError(
        fmt::format("--timeline-tiles: wanted tiles from 0 to {}, found {}", tiles - 1, tile));
  }
}

}  // namespace

run::RunResult writeTimeline(const run::Experiment& experiment, const ConfigReader& config,
                             const TimelineFile& file, Observer* next,
                             const std::function<run::RunResult(Observer*)>& simulate) {
  expectHeard(experiment, config, file);
  const compiler::Executable& executable = experiment.executable;
  const Result expected = run::summarizeRun(experiment.workload.graph, executable,
                                            run::measure(executable, Engine::ClosedForm, nullptr));
  const std::vector<ShownTile> shown = shownTiles(expected, file.tiles);
  std::optional<run::RunResult> result;
  writeFile(file.path, [&](const Sink& sink) {
    Timeline timeline(executable.programs.only(), expected, shown, sink, next);
    result = simulate(&timeline);
    timeline.finish();
  });
  return std::move(*result);
}

}  // namespace ipusim::report
