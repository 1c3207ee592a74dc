// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/message.h"
#include "models/ipu/system/pod.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim::cli {

namespace {

using Json = nlohmann::json;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Reads the limits of a command line as overrides of an empty config.
workloads::TraceLimits traceLimits(const std::vector<Override>& limits) {
  const std::string override_begin = "--set ";
  try {
    const ConfigReader config = ConfigReader::fromText("", "--limit", limits);
    const workloads::TraceLimits read = workloads::readTraceLimits(config);
    config.expectAllRead();
    return read;
  } catch (const ConfigError& error) {
    const std::string what = error.what();
    if (what.compare(0, override_begin.size(), override_begin) != 0) throw;
    throw ConfigError("--limit " + what.substr(override_begin.size()));
  }
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool isTrace(const std::string& file) {
  return endsWith(file, ".ipt") || endsWith(file, ".ipt.gz") || endsWith(file, ".ipt.zst");
}

workloads::Trace readTraceFile(const std::string& file, const std::vector<Override>& limits) {
  const std::filesystem::path path = findConfigFile(file, {});
  const workloads::TraceLimits most = traceLimits(limits);
  return workloads::readTrace(path, machineOf(workloads::readTraceHeader(path, most)), most);
}

void expectLegalTrace(const std::string& text, const Machine& machine, const std::string& file,
                      const std::vector<Override>& limits) {
  const std::string made = "what was made of " + oneLine(file);
  static_cast<void>(workloads::parseTrace(text, made, machine, traceLimits(limits)));
}

std::string presetOf(const workloads::TraceHeader& header) {
  const bool is_known = has(presetNames(), header.machine) || has(podNames(), header.machine);
  return is_known ? header.machine : kUsualMachine;
}

Machine machineOf(const workloads::TraceHeader& header) {
  const std::string name = presetOf(header);
  return has(podNames(), name) ? flatMachine(readPod(name)) : readPreset(name);
}

ConfigReader readRunConfig(const std::string& file, const std::vector<Override>& overrides,
                           const std::vector<Override>& limits) {
  const std::filesystem::path found = findConfigFile(file, {});
  if (!isTrace(file)) return ConfigReader::fromFile(found, overrides);
  const workloads::TraceHeader header = workloads::readTraceHeader(found, traceLimits(limits));
  // The workload stands in line 1. An error about the whole trace then names line 1 of the file,
  // the header of the trace.
  const std::string text = fmt::format("workload = {{kind = \"trace\", file = {}}}\nmachine = {}\n",
                                       Json(found.string()).dump(), Json(presetOf(header)).dump());
  std::vector<Override> all = overrides;
  for (const Override& limit : limits) {
    all.push_back({"workload.limits." + limit.key, limit.value});
  }
  return ConfigReader::fromText(text, found.string(), all);
}

}  // namespace ipusim::cli
