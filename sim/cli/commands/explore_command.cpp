// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "base/error_boundary.h"
#include "base/files/write_file.h"
#include "base/text/message.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/commands/report_file.h"
#include "sim/cli/commands/store_answer.h"
#include "sim/cli/this_program.h"
#include "sim/cli/watch/store_watch.h"
#include "sim/cli/watch/sweep_progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/search/exploration_page.h"
#include "sim/studies/sweep/processes/mpi_ranks.h"
#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kShownMoves = 12;

std::string describe(const run::OutputFolder& folder, const explore::Exploration& found) {
  const explore::Generation& last = found.generations.back();
  std::string text = fmt::format("{}: {} of {} points on the front\n", shown(folder, "pareto.csv"),
                                 found.front.size(), last.seen);
  if (found.front.empty()) {
    text += "  none fits, meets the constraints and has a value of each objective\n";
  }
  std::size_t width = 0;
  for (const explore::Sensitivity& row : found.sensitivities) {
    width = std::max(width, oneLine(row.axes).size());
  }
  std::size_t lines = 0;
  for (const explore::Sensitivity& row : found.sensitivities) {
    if (row.neighbours == 0) continue;
    if (++lines > kShownMoves) return text + "  and more in sensitivity.csv\n";
    text += fmt::format("  {:<{}}  {} -> {}: {:+.3g} % {}\n", oneLine(row.axes), width,
                        oneLine(row.from), oneLine(row.to), row.largest_percent,
                        oneLine(row.objective));
  }
  return text;
}

/// The progress of a search, which may end before its last point.
explore::SweepState stateOf(const explore::SearchOptions& options,
                            const explore::Evaluator& evaluator) {
  return {std::max<std::uint64_t>(options.evaluations, evaluator.seen().size()),
          evaluator.seen().size() - evaluator.computed(), evaluator.seen().size()};
}

}  // namespace

ExitCode exploreCommand(const ExploreArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  if (explore::isOneOfSeveralRanks()) {
    throw ConfigError("ipusim explore: wanted one process, found several ranks of MPI; see --jobs");
  }
  const auto config = ConfigReader::fromFile(findConfigFile(arguments.config, {}));
  const explore::Sweep sweep = explore::readSpace(config, arguments.overrides);
  const explore::SearchOptions options = explore::readSearchOptions(config);
  OutputFiles()
      .add("--out", arguments.out, {explore::kResultsFile, explore::kStoreFile})
      .add("--report", arguments.report)
      .expectApart({arguments.config});
  const run::OutputFolder folder(arguments.out);
  if (arguments.report) expectWritableFile(*arguments.report);
  // A file that cannot be replaced must be reported before the work.
  static_cast<void>(folder.placeOf(explore::kResultsFile));
  explore::SweepStore store(folder, explore::identify(sweep, arguments.engine, thisProgram()));
  sayDamaged(store);
  explore::WorkerPool pool({arguments.jobs, arguments.limits.seconds, arguments.limits.memory},
                           explore::evaluatorOf(sweep, arguments.engine, arguments.limits));
  const explore::Compute compute = [&](const explore::PoolWork& work) { pool.compute(work); };
  explore::Evaluator evaluator(sweep, options, store, compute);
  const CountedInterrupts interrupts;
  SweepProgress progress;
  const StoreWatch watch(folder);
  evaluator.stop_request = [&] {
    watch.expectThere();
    progress.show(stateOf(options, evaluator));
    return stopRequestAfter(CountedInterrupts::count());
  };
  const auto search = [&] {
    evaluator.mend();
    const explore::Exploration found = explore::explore(sweep, options, evaluator);
    progress.end(stateOf(options, evaluator));
    explore::writeResults(folder, sweep, store);
    explore::writeExploration(folder, sweep, options, store, found);
    if (arguments.report) {
      writeReport(run::PageKind::Points,
                  explore::explorationPageData(arguments.config, sweep, options, store, found),
                  *arguments.report);
    }
    print(describe(folder, found));
  };
  if (!faultOf<explore::Interrupted>(search)) return ExitCode::Done;
  progress.end(stateOf(options, evaluator));
  say(fmt::format("ipusim: interrupted; the points so far are in {}; the same command goes on",
                  shown(folder, explore::kStoreFile)));
  return ExitCode::Interrupted;
}

}  // namespace ipusim::cli
