// SPDX-License-Identifier: Apache-2.0
#include "base/part.h"
#include "sim/cli/commands/commands.h"

namespace ipusim::cli {

ExitCode mergeCommand(const MergeArguments& /*arguments*/) {
  throw PartAbsent("sweep");
}

ExitCode sweepCommand(const SweepArguments& /*arguments*/) {
  throw PartAbsent("sweep");
}

}  // namespace ipusim::cli
