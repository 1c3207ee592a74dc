// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/store_answer.h"

#include <fmt/format.h>

#include <string>

#include "base/text/message.h"
#include "sim/cli/watch/sweep_progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/sweep/findings.h"

namespace ipusim::cli {

std::string shown(const run::OutputFolder& folder, const char* file) {
  return oneLine((folder.path() / file).string(), kPathLength);
}

explore::StopRequest stopRequestAfter(int interrupts) {
  if (interrupts == 0) return explore::StopRequest::None;
  return interrupts == 1 ? explore::StopRequest::FinishPoints : explore::StopRequest::EndNow;
}

void sayDamaged(const explore::SweepStore& store) {
  if (store.damaged().empty()) return;
  say(fmt::format("ipusim: damaged points in {}, which are computed again: {}",
                  oneLine(store.path().string(), kPathLength), store.damaged().size()));
}

std::string describeExpected(const explore::ExpectedTime& expected) {
  std::string of = fmt::format("{} points", expected.points);
  if (expected.tried == 0) return of;
  return fmt::format("{}, {} {} on {} process{} ({} of them tried)", of,
                     expected.at_least ? "at least" : "about", describeTime(expected.seconds),
                     expected.jobs, expected.jobs == 1 ? "" : "es", expected.tried);
}

namespace {

/// Why the first invalid point is no config of a run.
std::string firstReason(const explore::SweepStore& store) {
  std::string reason;
  store.forEach([&](std::uint64_t point, const explore::PointResult& result) {
    if (!reason.empty() || result.status != explore::Status::Invalid) return;
    reason = fmt::format("point {}: {}", point, result.reason);
  });
  return reason;
}

}  // namespace

ExitCode answer(const run::OutputFolder& folder, const explore::Sweep& sweep,
                const explore::SweepStore& store, const explore::SweepState& state) {
  if (state.before > 0) {
    say(fmt::format("ipusim: {} of {} points were in {}", state.before, state.points,
                    shown(folder, explore::kStoreFile)));
  }
  if (state.done != state.points) {
    const bool interrupted = CountedInterrupts::count() > 0;
    say(fmt::format("ipusim: {}{} of {} points are in {}; the same command goes on",
                    interrupted ? "interrupted: " : "", state.done, state.points,
                    shown(folder, explore::kStoreFile)));
    return interrupted ? ExitCode::Interrupted : ExitCode::UserError;
  }
  const explore::SweepCounts counts = explore::countsOf(store);
  print(fmt::format("{}: {} points: {} ok, {} do not fit, {} invalid, {} failed\n",
                    shown(folder, explore::kResultsFile),
                    counts.ok + counts.does_not_fit + counts.invalid + counts.failed, counts.ok,
                    counts.does_not_fit, counts.invalid, counts.failed));
  for (const std::string& line : explore::findingsOf(sweep, store)) print("  " + line + '\n');
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
