// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/message.h"
#include "sim/cli/commands.h"
#include "sim/cli/sweep_progress.h"
#include "sim/cli/terminal.h"
#include "sim/explore/run_sweep.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kPathLength = 4096;

/// The version, and which build of it: a model that is being changed keeps its version.
std::string thisProgram() {
  return fmt::format("{} build {}", run::toolVersion(), explore::hashOfFile("/proc/self/exe"));
}

std::string shown(const run::OutputFolder& folder, const char* file) {
  return oneLine((folder.path() / file).string(), kPathLength);
}

ExitCode listPoints(const explore::Sweep& sweep) {
  std::string list;
  for (std::uint64_t point = 0; point < sweep.points(); ++point) {
    list += explore::describePoint(sweep, point) + '\n';
  }
  print(list);
  return ExitCode::Done;
}

/// The first interrupt lets points finish, the second does not.
explore::Wish wishAfter(int interrupts) {
  if (interrupts == 0) return explore::Wish::GoOn;
  return interrupts == 1 ? explore::Wish::FinishPoints : explore::Wish::EndNow;
}

explore::SweepState compute(const explore::Sweep& sweep, const SweepArguments& arguments,
                            explore::SweepStore& store) {
  const CountedInterrupts interrupts;
  SweepProgress progress;
  const explore::SweepOptions options = {arguments.engine,
                                         {arguments.jobs, arguments.timeout_seconds}};
  return explore::runSweep(sweep, options, store, [&](const explore::SweepState& state) {
    progress.show(state);
    return wishAfter(CountedInterrupts::count());
  });
}

ExitCode answer(const explore::SweepStore& store, const explore::SweepState& state,
                const std::string& table) {
  const explore::SweepCounts counts = explore::countsOf(store);
  print(fmt::format("{}: {} points: {} ok, {} do not fit, {} invalid, {} failed\n", table,
                    state.points, counts.ok, counts.does_not_fit, counts.invalid, counts.failed));
  return counts.failed == 0 ? ExitCode::Done : ExitCode::OurBug;
}

}  // namespace

ExitCode sweepCommand(const SweepArguments& arguments) {
  const explore::Sweep sweep =
      explore::readSweep(ConfigReader::fromFile(findConfigFile(arguments.config, {})));
  if (arguments.dry_run) return listPoints(sweep);
  const run::OutputFolder folder(arguments.out);
  explore::SweepStore store(folder, explore::identify(sweep, arguments.engine, thisProgram()));
  const explore::SweepState state = compute(sweep, arguments, store);
  if (state.before > 0) {
    say(fmt::format("ipusim: {} of {} points were in {}", state.before, state.points,
                    shown(folder, explore::kStoreFile)));
  }
  folder.write(explore::kResultsFile, explore::resultsCsv(sweep, store));
  if (state.done == state.points) {
    return answer(store, state, shown(folder, explore::kResultsFile));
  }
  say(fmt::format("ipusim: interrupted: {} of {} points are in {}; the same command goes on",
                  state.done, state.points, shown(folder, explore::kStoreFile)));
  return ExitCode::Interrupted;
}

}  // namespace ipusim::cli
