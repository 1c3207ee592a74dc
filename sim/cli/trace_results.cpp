// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_results.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/config_reader.h"
#include "base/json_reader.h"
#include "base/message.h"
#include "base/read_file.h"
#include "base/write_file.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_file.h"
#include "sim/report/chakra.h"
#include "sim/report/diff.h"
#include "sim/report/import/import.h"
#include "sim/run/simulate.h"
#include "workloads/sources/chakra/graph_of.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_diff.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostMebibytes = 512;
constexpr std::size_t kLongestItem = 400;
constexpr std::size_t kPathLength = 4096;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool isTrace(const std::string& file) {
  return endsWith(file, ".ipt") || endsWith(file, ".ipt.gz") || endsWith(file, ".ipt.zst");
}

bool isProgram(const std::string& file) {
  return endsWith(file, ".toml") || isTrace(file);
}

/// A run config; for a trace, one that runs the trace on the machine that it was made for.
ConfigReader configOf(const std::string& program, const std::vector<Override>& overrides) {
  const std::filesystem::path file = findConfigFile(program, {});
  if (!isTrace(program)) return ConfigReader::fromFile(file, overrides);
  const std::string text = fmt::format("machine = {}\nworkload = {{kind = \"trace\", file = {}}}\n",
                                       Json(presetOf(workloads::readTraceHeader(file))).dump(),
                                       Json(std::filesystem::absolute(file).string()).dump());
  return ConfigReader::fromText(text, program, overrides);
}

struct Played {
  run::Experiment experiment;
  run::RunResult result;
};

Played play(const std::string& program, const std::vector<Override>& overrides) {
  run::Experiment experiment = run::prepare(configOf(program, overrides));
  run::RunResult result = run::simulate(experiment, Engine::ClosedForm);
  return {std::move(experiment), std::move(result)};
}

Json resultOf(const std::string& file, const std::vector<Override>& overrides) {
  if (isProgram(file)) return run::withTiles(play(file, overrides).result);
  return run::readResult(file);
}

std::string listText(const std::string& heading, const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("  {}\n", oneLine(item, kLongestItem));
  return text.empty() ? text : heading + '\n' + text;
}

ExitCode importChakra(const TraceImportArguments& arguments) {
  if (arguments.files.size() != 1) {
    throw ConfigError(
        fmt::format("FILE: wanted one Chakra trace, found {} files", arguments.files.size()));
  }
  const std::string& file = arguments.files.front();
  const Machine machine = readPreset(arguments.machine.value_or(kUsualMachine));
  const std::string name = oneLine(file, kPathLength);
  const auto chakra = workloads::chakra::readTrace(readFile(file, kMostMebibytes), name);
  workloads::chakra::ChakraGraph built = workloads::chakra::graphOf(chakra, name, machine);
  workloads::Trace trace;
  trace.header.written_by = std::string("ipusim ") + libraryVersion();
  trace.header.machine = machine.name;
  trace.header.workload = "chakra";
  trace.graph = std::move(built.graph);
  writeFile(arguments.out,
            workloads::compressedFor(arguments.out, workloads::traceText(trace, machine)));
  print(listText("Without a counterpart:", built.without_counterpart));
  return ExitCode::Done;
}

std::string differencesText(const std::vector<workloads::TraceDifference>& differences) {
  std::string text;
  const auto or_none = [](const std::string& side) {
    return side.empty() ? "none" : oneLine(side, kLongestItem);
  };
  for (const workloads::TraceDifference& one : differences) {
    text += fmt::format("{}\n  < {}\n  > {}\n", oneLine(one.thing, kLongestItem),
                        or_none(one.first), or_none(one.second));
  }
  return text.empty() ? "the programs are equal\n" : text;
}

std::string differencesJson(const std::vector<workloads::TraceDifference>& differences) {
  Json list = Json::array();
  for (const workloads::TraceDifference& one : differences) {
    list.push_back({{"thing", one.thing}, {"a", one.first}, {"b", one.second}});
  }
  const Json json = {{"schema", "ipusim-trace-diff-1"},
                     {"same", differences.empty()},
                     {"differences", std::move(list)}};
  return json.dump(2) + '\n';
}

ExitCode diffPrograms(const TraceDiffArguments& arguments) {
  if (!arguments.overrides.empty()) {
    throw ConfigError(
        "--set: wanted --results beside it (programs of traces have no keys), found "
        "none");
  }
  const auto differences = workloads::differences(
      readTraceFile(arguments.a), readTraceFile(arguments.b), readPreset(kUsualMachine));
  print(arguments.form == Form::Json ? differencesJson(differences) : differencesText(differences));
  return ExitCode::Done;
}

}  // namespace

ExitCode traceImport(const TraceImportArguments& arguments) {
  if (arguments.chakra) return importChakra(arguments);
  if (arguments.machine) {
    throw ConfigError(
        "--machine: wanted --chakra beside it (a profile names its machine itself), "
        "found none");
  }
  const Json result = run::importProfile({arguments.files.begin(), arguments.files.end()});
  writeFile(arguments.out, run::resultText(result));
  print(listText("The profile does not say:", result.at("not_filled")) +
        listText("A result has no place for:", result.at("not_held")));
  return ExitCode::Done;
}

ExitCode traceExport(const TraceExportArguments& arguments) {
  const Played played = play(arguments.program, arguments.overrides);
  writeFile(arguments.out, textOf(run::chakraOf(played.experiment.executable, played.result)));
  return ExitCode::Done;
}

ExitCode traceDiff(const TraceDiffArguments& arguments) {
  if (isTrace(arguments.a) && isTrace(arguments.b) && !arguments.results) {
    return diffPrograms(arguments);
  }
  const Json a = resultOf(arguments.a, arguments.overrides);
  const Json b = resultOf(arguments.b, arguments.overrides);
  const run::ResultDiff diff = run::diffResults(JsonReader(a, oneLine(arguments.a, kPathLength)),
                                                JsonReader(b, oneLine(arguments.b, kPathLength)));
  print(arguments.form == Form::Json ? run::diffJson(diff, arguments.a, arguments.b).dump(2) + '\n'
                                     : run::diffText(diff, arguments.a, arguments.b));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
