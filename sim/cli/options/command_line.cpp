// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/command_line.h"

#include <fmt/format.h>

#include "ipusim/version.h"
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/poplar_options.h"

namespace ipusim::cli {

CommandLine::CommandLine() : app_(kAbout, "ipusim") {
  app_.set_version_flag("--version",
                        fmt::format("ipusim {} ({})", libraryVersion(), libraryCommit()));
  app_.footer(kExamples);
  add("run", runOptions, "Run one config: what fits, how long, why");
  add("check", checkOptions, "Execute a config with numbers and compare them");
  add("sweep", sweepOptions, "Run a config at every combination of some values");
  add("explore", exploreOptions, "Search a sweep file's space for the best points");
  add("merge", mergeOptions, "Put the stores of a sweep's parts together");
  add("validate", validateOptions, "Hold predictions against published measurements");
  add("calibrate", calibrateOptions, "Fit constants of a preset to published rows");
  add("reproduce", reproduceOptions, "Set all that a paper published beside our predictions");
  add("trace", traceOptions, "Programs as files: record, describe and check traces");
  add("diff", diffOptions, "Say what changed from one run to another, most first");
  add("redistribute", redistributeOptions,
      "Plan how an array changes its spread over IPUs or tiles");
  addPoplar();
  add("list", listOptions,
      "Name the machines, systems, GPUs, workloads, codelets or keys of configs");
  add("new", newOptions, "Write a config with comments, which runs as it is");
  add("generate", generateOptions, "Print the manual page, or the completion of a shell");
  explain_.addTo(app_);
  app_.prefix_command();  // `noCommand` reports an unknown command
}

CLI::App& CommandLine::add(const char* name, const char* what) {
  return *app_.add_subcommand(name, what);
}

void CommandLine::add(const char* name, OptionsPointer (*options)(CLI::App&), const char* what) {
  CLI::App& command = add(name, what);
  commands_.emplace_back(&command, options(command));
}

void CommandLine::addPoplar() {
  CLI::App& command = add("poplar", "Programs written for Poplar: compile, run and replay them");
  auto options = std::make_unique<PoplarOptions>(command);
  poplar_ = options.get();
  commands_.emplace_back(&command, std::move(options));
}

}  // namespace ipusim::cli
