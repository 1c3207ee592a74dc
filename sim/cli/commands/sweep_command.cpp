// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

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
#include "sim/studies/sweep/expected_time.h"
#include "sim/studies/sweep/points_page.h"
#include "sim/studies/sweep/processes/mpi_ranks.h"
#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/sweep/store/results_csv.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kWholeLine = std::string::npos;

/// A sweep with its identity.
struct Study {
  explicit Study(const SweepArguments& arguments)
      : sweep(sweep::readSweep(ConfigReader::fromFile(findConfigFile(arguments.config, {})),
                               arguments.overrides)),
        identity(sweep::identify(sweep, arguments.engine, thisProgram())),
        pool({arguments.jobs, arguments.limits.seconds, arguments.limits.memory},
             sweep::evaluatorOf(sweep, arguments.engine, arguments.limits)) {}

  [[nodiscard]] std::string hash() const {
    return sweep::hashOf(identity.program + '\n' + identity.config);
  }

  sweep::Sweep sweep;
  sweep::SweepIdentity identity;
  sweep::WorkerPool pool;
};

ExitCode listPoints(Study& study, const SweepArguments& arguments) {
  std::string list;
  std::vector<std::uint64_t> points;
  sweep::forEachPoint(study.sweep, [&](std::uint64_t point) {
    if (!sweep::isIn(arguments.shard, point)) return;
    list += oneLine(sweep::describePoint(study.sweep, point), kWholeLine) + '\n';
    points.push_back(point);
  });
  print(list);
  say("ipusim: " + describeExpected(sweep::expectedTime(
                       points, sweep::evaluatorOf(study.sweep, arguments.engine), arguments.jobs)));
  return ExitCode::Done;
}

/// Where points are stored: a folder, and the store in it.
struct Target {
  const report::OutputFolder& folder;
  sweep::SweepStore& store;
};

sweep::SweepState compute(Study& study, const SweepArguments& arguments, const Target& target,
                          sweep::MpiRanks* ranks) {
  const CountedInterrupts interrupts;
  SweepProgress progress;
  const StoreWatch watch(target.folder);
  const sweep::Compute compute = [&](const sweep::PoolWork& work) {
    if (ranks != nullptr && ranks->size() > 1) {
      ranks->compute(work, study.hash());
    } else {
      study.pool.compute(work);
    }
  };
  const sweep::SweepState state = sweep::runSweep(
      study.sweep, arguments.shard, compute, target.store, [&](const sweep::SweepState& now) {
        watch.expectThere();
        progress.show(now);
        return stopRequestAfter(CountedInterrupts::count());
      });
  progress.end(state);
  if (ranks != nullptr) {
    for (const std::string& reason : ranks->reasons()) say("ipusim: " + reason);
  }
  return state;
}

ExitCode sweepHere(const SweepArguments& arguments, sweep::MpiRanks* ranks) {
  Study study(arguments);
  if (arguments.dry_run) return listPoints(study, arguments);
  OutputFiles()
      .add("--out", arguments.out, {sweep::kResultsFile, sweep::kStoreFile})
      .add("--report", arguments.report)
      .expectApart({arguments.config});
  const report::OutputFolder folder(arguments.out);
  if (arguments.report) expectWritableFile(*arguments.report);
  // A file that cannot be replaced must be reported before the work.
  static_cast<void>(folder.placeOf(sweep::kResultsFile));
  sweep::SweepStore store(folder, study.identity);
  sayDamaged(store);
  const sweep::SweepState state = compute(study, arguments, {folder, store}, ranks);
  sweep::writeResults(folder, study.sweep, store);
  if (arguments.report) {
    writeReport(report::PageKind::Points,
                sweep::pointsPageData(arguments.config, study.sweep, store), *arguments.report);
  }
  return answer(folder, study.sweep, store, state);
}

/// Runs a rank that computes for another one. The rank tells the owner what is wrong with the
/// config.
ExitCode serve(const SweepArguments& arguments, sweep::MpiRanks& ranks) {
  const auto fault = faultOf<ConfigError>([&] {
    Study study(arguments);
    if (!arguments.dry_run) ranks.serve(study.pool, study.hash());
    ranks.leave("");
  });
  if (fault) ranks.leave(*fault);
  return ExitCode::Done;
}

}  // namespace

ExitCode sweepCommand(const SweepArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  if (!sweep::startedByMpi()) return sweepHere(arguments, nullptr);
  sweep::MpiRanks ranks;
  return ranks.isOwner() ? sweepHere(arguments, &ranks) : serve(arguments, ranks);
}

}  // namespace ipusim::cli
