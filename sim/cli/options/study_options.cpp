// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/argument_values.h"
#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"

// The options of the commands that fill stores of points: sweep, explore and merge.

namespace ipusim::cli {

namespace {

/// The options of a command that computes points into a store.
class StoreOptions {
 public:
  void addTo(CLI::App& command, const char* config, const char* folder) {
    config_.addTo(command, config);
    settings_.addTo(command);
    out_.addTo(command, "--out", folder, "DIR").required();
    report_.addTo(command, "--report",
                  "a page with the points, the best of them and those that failed", "FILE.html");
    engine_.addTo(command, Engine::ClosedForm);
    jobs_.addTo(command, "how many processes compute points, 1 to 1024, 1 unless said");
    timeout_.addTo(command, "--timeout", "what a point may take, above 0, no limit unless said",
                   "SECONDS");
    memory_.addTo(command,
                  "what the process of a point may hold, as 4G or 512M, no limit unless said");
    cache_.addTo(command);
  }

  [[nodiscard]] StudyArguments study() const {
    StudyArguments arguments;
    arguments.config = config_.place();
    arguments.overrides = settings_.overrides();
    arguments.engine = engine_.engine();
    arguments.out = *out_.text();
    arguments.report = report_.text();
    arguments.jobs = jobs_.jobs(1);
    arguments.limits = {timeout_.value(plainSecondsIn, "a number of seconds above 0"),
                        memory_.memory()};
    arguments.cache = cache_.cache();
    return arguments;
  }

 private:
  ConfigOption config_;
  SettingOption settings_;
  ValueOption out_;
  ValueOption report_;
  EngineOption engine_;
  JobsOption jobs_;
  ValueOption timeout_;
  MemoryOption memory_;
  CacheOptions cache_;
};

class SweepOptions final : public CommandOptions {
 public:
  explicit SweepOptions(CLI::App& command) {
    store_.addTo(command, "a sweep file, TOML", "a folder for sweep.sqlite and results.csv");
    shard_.addTo(command, "--shard",
                 "compute part I of N equal ones only; `ipusim merge` puts them together", "I/N");
    command.add_flag("--dry-run", dry_run_, "list the points and say what they will take");
    command.footer(kSweepExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    const std::string wanted = fmt::format("I/N with I from 1 to N and N at most {}", kMostShards);
    return SweepArguments{store_.study(), shard_.value(shardIn, wanted).value_or(sweep::Shard()),
                          dry_run_};
  }

 private:
  StoreOptions store_;
  ValueOption shard_;
  bool dry_run_ = false;
};

class ExploreOptions final : public CommandOptions {
 public:
  explicit ExploreOptions(CLI::App& command) {
    store_.addTo(command, "a sweep file with an [explore] table, TOML",
                 "a folder for sweep.sqlite, results.csv, pareto.csv and more");
    command.footer(kExploreExamples);
  }

  [[nodiscard]] Arguments arguments() const override { return ExploreArguments{store_.study()}; }

 private:
  StoreOptions store_;
};

class MergeOptions final : public CommandOptions {
 public:
  explicit MergeOptions(CLI::App& command) {
    command.add_option("DIR", folders_, "folders of `ipusim sweep --shard`")->required();
    out_.addTo(command, "--out", "a folder for sweep.sqlite and results.csv", "DIR").required();
    command.footer(kMergeExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    return MergeArguments{folders_, *out_.text()};
  }

 private:
  std::vector<std::string> folders_;
  ValueOption out_;
};

}  // namespace

OptionsPointer sweepOptions(CLI::App& command) {
  return std::make_unique<SweepOptions>(command);
}

OptionsPointer exploreOptions(CLI::App& command) {
  return std::make_unique<ExploreOptions>(command);
}

OptionsPointer mergeOptions(CLI::App& command) {
  return std::make_unique<MergeOptions>(command);
}

}  // namespace ipusim::cli
