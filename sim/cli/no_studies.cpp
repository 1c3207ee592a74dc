// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "ipusim/error.h"
#include "sim/cli/commands.h"

// The commands of a build without SQLite, pagmo and Ceres.

namespace ipusim::cli {

namespace {

ConfigError withoutStudies(const std::string& command) {
  return ConfigError("ipusim " + command +
                     ": wanted a build with studies, found one without (IPUSIM_STUDIES=OFF)");
}

}  // namespace

ExitCode sweepCommand(const SweepArguments& /*arguments*/) {
  throw withoutStudies("sweep");
}

ExitCode exploreCommand(const ExploreArguments& /*arguments*/) {
  throw withoutStudies("explore");
}

ExitCode mergeCommand(const MergeArguments& /*arguments*/) {
  throw withoutStudies("merge");
}

ExitCode reproduceCommand(const ReproduceArguments& /*arguments*/) {
  throw withoutStudies("reproduce");
}

ExitCode calibrateCommand(const CalibrateArguments& /*arguments*/) {
  throw withoutStudies("calibrate");
}

}  // namespace ipusim::cli
