// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/store_answer.h"

#include <fmt/format.h>

#include <string>

#include "base/text/message.h"
#include "sim/cli/watch/sweep_progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/sweep/findings.h"

namespace ipusim::cli {

std::string shown(const report::OutputFolder& folder, const char* file) {
  return oneLine((folder.path() / file).string(), kPathLength);
}

sweep::StopRequest stopRequestAfter(int interrupts) {
  if (interrupts == 0) return sweep::StopRequest::None;
  return interrupts == 1 ? sweep::StopRequest::FinishPoints : sweep::StopRequest::EndNow;
}

void sayDamaged(const sweep::SweepStore& store) {
  if (store.damaged().empty()) return;
  say(fmt::format("ipusim: damaged points in {}, which are computed again: {}",
                  oneLine(store.path().string(), kPathLength), store.damaged().size()));
}

std::string describeExpected(const sweep::ExpectedTime& expected) {
  std::string of = fmt::format("{} points", expected.points);
  if (expected.tried == 0) return of;
  return fmt::format("{}, {} {} on {} process{} ({} of them tried)", of,
                     expected.at_least ? "at least" : "about", describeTime(expected.seconds),
                     expected.jobs, expected.jobs == 1 ? "" : "es", expected.tried);
}

namespace {

/// Why the first invalid point is no config of a run.
std::string firstReason(const sweep::SweepStore& store) {
  std::string reason;
  store.forEach([&](std::uint64_t point, const sweep::PointResult& result) {
    if (!reason.empty() || result.status != sweep::Status::Invalid) return;
    reason = fmt::format("point {}: {}", point, result.reason);
  });
  return reason;
}

}  // namespace

ExitCode answer(const report::OutputFolder& folder, const sweep::Sweep& sweep,
                const sweep::SweepStore& store, const sweep::SweepState& state) {
  if (state.before > 0) {
    say(fmt::format("ipusim: {} of {} points were in {}", state.before, state.points,
                    shown(folder, sweep::kStoreFile)));
  }
  if (state.done != state.points) {
    const bool interrupted = CountedInterrupts::count() > 0;
    say(fmt::format("ipusim: {}{} of {} points are in {}; the same command goes on",
                    interrupted ? "interrupted: " : "", state.done, state.points,
                    shown(folder, sweep::kStoreFile)));
    return interrupted ? ExitCode::Interrupted : ExitCode::UserError;
  }
  const sweep::SweepCounts counts = sweep::countsOf(store);
  print(fmt::format("{}: {} points: {} ok, {} do not fit, {} invalid, {} failed\n",
                    shown(folder, sweep::kResultsFile),
                    counts.ok + counts.does_not_fit + counts.invalid + counts.failed, counts.ok,
                    counts.does_not_fit, counts.invalid, counts.failed));
  for (const std::string& line : sweep::findingsOf(sweep, store)) print("  " + line + '\n');
  if (counts.invalid > 0 && counts.ok + counts.does_not_fit + counts.failed == 0) {
    say("ipusim: no point is valid; " + firstReason(store));
    return ExitCode::UserError;
  }
  if (counts.failed > 0) {
    say(fmt::format(
        "ipusim: {} points failed, their rows say why; the same command tries them again",
        counts.failed));
  }
  return ExitCode::Done;
}

}  // namespace ipusim::cli
