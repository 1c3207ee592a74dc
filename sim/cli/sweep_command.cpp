// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/message.h"
#include "sim/cli/commands.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/explore/sweep.h"

namespace ipusim::cli {

ExitCode sweepCommand(const SweepArguments& arguments) {
  const explore::Sweep sweep =
      explore::readSweep(ConfigReader::fromFile(findConfigFile(arguments.config, {})));
  const run::OutputFolder folder(arguments.out);
  explore::SweepCounts counts;
  {
    Progress progress("sweeping");
    counts = explore::runSweep(sweep, arguments.engine, folder, [&](std::uint64_t point) {
      progress.now(fmt::format("point {} of {}", point + 1, sweep.points()));
    });
  }
  constexpr std::size_t kPathLength = 4096;
  print(fmt::format("{}: {} points: {} ok, {} do not fit, {} invalid, {} failed\n",
                    oneLine((folder.path() / explore::kResultsFile).string(), kPathLength),
                    sweep.points(), counts.ok, counts.does_not_fit, counts.invalid, counts.failed));
  return counts.failed == 0 ? ExitCode::Done : ExitCode::OurBug;
}

}  // namespace ipusim::cli
