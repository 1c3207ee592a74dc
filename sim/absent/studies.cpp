// SPDX-License-Identifier: Apache-2.0
#include "base/part.h"
#include "sim/cli/commands/commands.h"

namespace ipusim::cli {

ExitCode calibrateCommand(const CalibrateArguments& /*arguments*/) {
  throw PartAbsent("studies");
}

ExitCode exploreCommand(const ExploreArguments& /*arguments*/) {
  throw PartAbsent("studies");
}

ExitCode reproduceCommand(const ReproduceArguments& /*arguments*/) {
  throw PartAbsent("studies");
}

ExitCode validateCommand(const ValidateArguments& /*arguments*/) {
  throw PartAbsent("studies");
}

}  // namespace ipusim::cli
