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
#include "sim/report/text/quantity.h"
#include "sim/studies/search/bisection.h"
#include "sim/studies/search/exploration_page.h"
#include "sim/studies/sweep/processes/mpi_ranks.h"
#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kShownMoves = 12;

/// What a bisection found.
std::string edgeText(const sweep::Sweep& sweep, const search::SearchOptions& options,
                     const search::Exploration& found) {
  if (found.front.empty() || !search::wantsBisection(sweep, options)) return {};
  const bool is_largest = options.objectives.front().maximize;
  return fmt::format("  {}: the {} of {} values that meets the constraints\n",
                     oneLine(sweep::describePoint(sweep, found.front.front())),
                     is_largest ? "largest" : "least", report::countText(sweep.numbers()));
}

std::string describe(const report::OutputFolder& folder, const search::Exploration& found) {
  const search::Generation& last = found.generations.back();
  std::string text = fmt::format("{}: {} of {} points on the front\n", shown(folder, "pareto.csv"),
                                 found.front.size(), last.seen);
  if (found.front.empty()) {
    text += "  none fits, meets the constraints and has a value of each objective\n";
  }
  std::size_t width = 0;
  for (const search::Sensitivity& row : found.sensitivities) {
    width = std::max(width, oneLine(row.axes).size());
  }
  std::size_t lines = 0;
  for (const search::Sensitivity& row : found.sensitivities) {
    if (row.neighbours == 0) continue;
    if (++lines > kShownMoves) return text + "  and more in sensitivity.csv\n";
    text += fmt::format("  {:<{}}  {} -> {}: {:+.3g} % {}\n", oneLine(row.axes), width,
                        oneLine(row.from), oneLine(row.to), row.largest_percent,
                        oneLine(row.objective));
  }
  return text;
}

/// The progress of a search of `most` points, which may end before the last one.
sweep::SweepState stateOf(std::uint64_t most, const search::Evaluator& evaluator) {
  return {std::max<std::uint64_t>(most, evaluator.seen().size()),
          evaluator.seen().size() - evaluator.computed(), evaluator.seen().size()};
}

}  // namespace

ExitCode exploreCommand(const ExploreArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  if (sweep::isOneOfSeveralRanks()) {
    throw ConfigError("ipusim explore: wanted one process, found several ranks of MPI; see --jobs");
  }
  const auto config = ConfigReader::fromFile(findConfigFile(arguments.config, {}));
  const sweep::Sweep sweep = sweep::readSpace(config, arguments.overrides);
  const search::SearchOptions options = search::readSearchOptions(config);
  OutputFiles()
      .add("--out", arguments.out, {sweep::kResultsFile, sweep::kStoreFile})
      .add("--report", arguments.report)
      .expectApart({arguments.config});
  const report::OutputFolder folder(arguments.out);
  if (arguments.report) expectWritableFile(*arguments.report);
  // A file that cannot be replaced must be reported before the work.
  static_cast<void>(folder.placeOf(sweep::kResultsFile));
  sweep::SweepStore store(folder, sweep::identify(sweep, arguments.engine, thisProgram()));
  sayDamaged(store);
  sweep::WorkerPool pool({arguments.jobs, arguments.limits.seconds, arguments.limits.memory},
                         sweep::evaluatorOf(sweep, arguments.engine, arguments.limits));
  const sweep::Compute compute = [&](const sweep::PoolWork& work) { pool.compute(work); };
  search::Evaluator evaluator(sweep, options, store, compute);
  const std::uint64_t most = search::wantsBisection(sweep, options)
                                 ? search::bisectionPoints(sweep.numbers())
                                 : options.evaluations;
  const CountedInterrupts interrupts;
  SweepProgress progress;
  const StoreWatch watch(folder);
  evaluator.stop_request = [&] {
    watch.expectThere();
    progress.show(stateOf(most, evaluator));
    return stopRequestAfter(CountedInterrupts::count());
  };
  const auto search = [&] {
    evaluator.mend();
    const search::Exploration found = search::explore(sweep, options, evaluator);
    progress.end(stateOf(most, evaluator));
    sweep::writeResults(folder, sweep, store);
    search::writeExploration(folder, sweep, options, store, found);
    if (arguments.report) {
      writeReport(report::PageKind::Points,
                  search::explorationPageData(arguments.config, sweep, options, store, found),
                  *arguments.report);
    }
    print(describe(folder, found) + edgeText(sweep, options, found));
  };
  if (!faultOf<search::Interrupted>(search)) return ExitCode::Done;
  progress.end(stateOf(most, evaluator));
  say(fmt::format("ipusim: interrupted; the points so far are in {}; the same command goes on",
                  shown(folder, sweep::kStoreFile)));
  return ExitCode::Interrupted;
}

}  // namespace ipusim::cli
