// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/shared_options.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "sim/cli/options/argument_values.h"

namespace ipusim::cli {

namespace {

constexpr const char* kSizeWanted = "a size as 4G or 512M";

/// The words of a command, from `ipusim` on.
std::string wordsOf(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : wordsOf(*parent) + ' ' + command.get_name();
}

}  // namespace

ConfigError wrongCommand(const CLI::App& command, const std::string& what) {
  return ConfigError(
      fmt::format("{0}: {1}; see {0} --help", wordsOf(command), oneLine(what, 4 * kQuotedLength)));
}

CLI::Option& addRepeated(CLI::App& command, const char* option, std::vector<std::string>& texts,
                         const std::string& what) {
  return *command.add_option(option, texts, what)
              ->expected(1)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option& ValueOption::addTo(CLI::App& command, const char* option, const std::string& what,
                                const std::string& type) {
  commands_.push_back(&command);
  option_ = option;
  return *command.add_option(option, text_, what)->type_name(type);
}

ConfigError ValueOption::wrong(const std::string& what) const {
  const auto given = std::find_if(commands_.begin(), commands_.end(),
                                  [](const CLI::App* command) { return command->parsed(); });
  check(given != commands_.end(), "an option of a command that was given");
  return wrongCommand(**given, option_ + ": " + what);
}

void ConfigOption::addTo(CLI::App& command, const char* what, const char* name) {
  command.add_option(name, place_, what)->required();
}

void SettingOption::addTo(CLI::App& command, const char* option, const char* what) {
  addRepeated(command, option, texts_, what).type_name("KEY=VALUE");
}

void ExplainOption::addTo(CLI::App& command) {
  key_.addTo(command, "--explain", "say what a key of a config means, and run nothing", "KEY");
}

void EngineOption::addTo(CLI::App& command, Engine usual) {
  usual_ = usual;
  engine_.addTo(command, "--engine",
                fmt::format("what computes the times, {} unless said", nameOf(usual)),
                "systemc|closed-form");
}

CLI::Option& JsonOption::addTo(CLI::App& command, const char* what) {
  return *command.add_flag("--json", is_given_, what);
}

void JobsOption::addTo(CLI::App& command, const char* what) {
  jobs_.addTo(command, "--jobs", what, "N");
}

std::uint64_t JobsOption::jobs(std::uint64_t usual) const {
  return jobs_.value(jobsIn, fmt::format("a whole number in [1, {}]", kMostJobs)).value_or(usual);
}

std::uint64_t JobsOption::jobsOrAllCores() const {
  return jobs(std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostJobs));
}

void MemoryOption::addTo(CLI::App& command, const char* what) {
  memory_.addTo(command, "--max-memory", what, "SIZE");
}

std::optional<Bytes> MemoryOption::memory() const {
  return memory_.value(bytesIn, kSizeWanted);
}

void LimitOptions::addTo(CLI::App& command) {
  time_.addTo(command, "--max-time",
              "what the run may take, as 30s, 10m or 2h, no limit unless said", "DURATION");
  memory_.addTo(command, "what the run may hold, as 4G or 512M, no limit unless said");
}

run::HostLimits LimitOptions::limits() const {
  return {time_.value(secondsIn, kDurationWanted), memory_.memory()};
}

void CacheOptions::addTo(CLI::App& command) {
  folder_.addTo(command, "--cache",
                "a folder that keeps plans and schedules between runs, the one of IPUSIM_CACHE "
                "unless said",
                "DIR");
  size_.addTo(command, "--cache-size", "what that folder may take, as 4G or 512M, 1G unless said",
              "SIZE");
}

CacheArguments CacheOptions::cache() const {
  CacheArguments arguments;
  arguments.folder = folder_.text();
  const char* usual = std::getenv("IPUSIM_CACHE");
  if (!arguments.folder && usual != nullptr && *usual != '\0') arguments.folder = usual;
  const auto bytes = size_.value(bytesIn, kSizeWanted);
  if (bytes) arguments.most_bytes = bytes->value();
  return arguments;
}

}  // namespace ipusim::cli
