// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/trace_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "models/ipu/machine/system.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim::cli {

namespace {

/// Reads the limits of a command line as overrides of an empty config.
workloads::TraceLimits traceLimits(const std::vector<Override>& limits) {
  const std::string override_begin = "--set ";
  const auto read = [&] {
    const ConfigReader config = ConfigReader::fromText("", "--limit", limits);
    const workloads::TraceLimits most = workloads::readTraceLimits(config);
    config.expectAllRead();
    return most;
  };
  return translateErrors<ConfigError>(read, [&](const ConfigError& error) {
    const std::string what = error.what();
    if (what.compare(0, override_begin.size(), override_begin) != 0) return error;
    return ConfigError("--limit " + what.substr(override_begin.size()));
  });
}

/// A value of JSON as a value of TOML on one line.
std::string tomlOf(const SortedJson& value) {
  if (!value.is_structured()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& item : value.items()) {
    const std::string key = value.is_object() ? SortedJson(item.key()).dump() + " = " : "";
    parts.push_back(key + tomlOf(item.value()));
  }
  return value.is_object() ? fmt::format("{{{}}}", fmt::join(parts, ", "))
                           : fmt::format("[{}]", fmt::join(parts, ", "));
}

/// The line of a config that says which machine a trace was made for.
std::string machineLine(const workloads::TraceHeader& header) {
  const bool is_named = header.machine_table.empty();
  const SortedJson machine =
      is_named ? SortedJson(header.machine.empty() ? kUsualMachine : header.machine)
               : SortedJson::parse(header.machine_table);
  return fmt::format("machine = {}\n", tomlOf(machine));
}

bool isOfMachine(const Override& one) {
  return one.key == "machine" || one.key.compare(0, 8, "machine.") == 0;
}

}  // namespace

workloads::Trace readTraceFile(const std::string& file, const std::vector<Override>& limits) {
  const std::filesystem::path path = findConfigFile(file, {});
  const workloads::TraceLimits most = traceLimits(limits);
  const workloads::TraceHeader header = workloads::readTraceHeader(path, most);
  return workloads::readTrace(path, machineOf(header, path.string()), most);
}

void expectLegalTrace(const std::string& text, const Architecture& machine, const std::string& file,
                      const std::vector<Override>& limits) {
  const std::string made = "what was made of " + oneLine(file);
  static_cast<void>(workloads::parseTrace(text, made, machine, traceLimits(limits)));
}

Architecture machineOf(const workloads::TraceHeader& header, const std::string& file) {
  return readSystem(ConfigReader::fromText(machineLine(header), file)).allTiles();
}

ConfigReader configOfTrace(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits) {
  const std::filesystem::path found = findConfigFile(file, {});
  const workloads::TraceHeader header = workloads::readTraceHeader(found, traceLimits(limits));
  // What stands in line 1 may be wrong: an error then names the header of the trace. The machine
  // stands there by itself first, and then the workload.
  if (std::none_of(overrides.begin(), overrides.end(), isOfMachine)) {
    static_cast<void>(machineOf(header, found.string()));
  }
  const std::string text = fmt::format("workload = {{kind = \"trace\", file = {}}}\n{}",
                                       SortedJson(found.string()).dump(), machineLine(header));
  std::vector<Override> all = overrides;
  for (const Override& limit : limits) {
    all.push_back({"workload.limits." + limit.key, limit.value});
  }
  return ConfigReader::fromText(text, found.string(), all);
}

}  // namespace ipusim::cli
