// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "base/text/message.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/store_answer.h"
#include "sim/cli/this_program.h"
#include "sim/cli/watch/stage_progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/reproduce/reproduction.h"

namespace ipusim::cli {

namespace {

constexpr std::size_t kReasonLength = 4096;

/// One line for each reason, however many figures it cost.
void sayNotDrawn(const reproduce::FiguresOutcome& figures) {
  std::map<std::string, std::size_t> reasons;
  for (const auto& [picture, reason] : figures.faults) ++reasons[reason];
  for (const auto& [reason, count] : reasons) {
    say(fmt::format("ipusim: {} figure{} not drawn: {}", count, count == 1 ? " is" : "s are",
                    reason));
  }
}

void sayFailed(const reproduce::Reproduction& reproduction) {
  std::uint64_t failed = 0;
  for (const reproduce::SweepOutcome& sweep : reproduction.sweeps) failed += sweep.counts.failed;
  if (failed == 0) return;
  say(
      fmt::format("ipusim: {} points of sweeps failed, their rows say why; the same command tries "
                  "them again",
                  failed));
}

std::string describe(const std::string& page, const reproduce::Score& score) {
  return fmt::format("{}: {} numbers: {} within 10 %, {} within 30 %, {} missed\n", page,
                     score.numbers, score.within_10_percent, score.within_30_percent, score.missed);
}

}  // namespace

ExitCode reproduceCommand(const ReproduceArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  const auto manifest = ConfigReader::fromFile(findConfigFile(arguments.paper, {}));
  const reproduce::Paper paper =
      reproduce::withItems(reproduce::readPaper(manifest, arguments.paper), arguments.items);
  const report::OutputFolder folder(arguments.out);
  const CountedInterrupts interrupts;
  StageProgress progress;
  const reproduce::Reproduction reproduction =
      reproduce::reproduce(paper, {arguments.out, arguments.jobs, thisProgram(), arguments.plots},
                           [&](const std::string& stage, const sweep::SweepState& state) {
                             progress.show(stage, state);
                             return stopRequestAfter(CountedInterrupts::count());
                           });
  progress.end();
  if (!reproduction.done) {
    say(
        fmt::format("ipusim: interrupted; what is computed so far is in {}; the same command goes "
                    "on",
                    oneLine(folder.path().string(), kReasonLength)));
    return ExitCode::Interrupted;
  }
  sayFailed(reproduction);
  sayNotDrawn(reproduction.figures);
  print(describe(shown(folder, reproduce::kPageFile), reproduce::scoreOf(reproduction.verdicts)));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
