// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/trace_results.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/config/config_reader.h"
#include "base/error_boundary.h"
#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/commands/trace_file.h"
#include "sim/interop/chakra/chakra.h"
#include "sim/interop/chakra/graph_of.h"
#include "sim/interop/profiles/import.h"
#include "sim/report/diff/diff.h"
#include "sim/run/simulate.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_diff.h"
#include "workloads/sources/trace/trace_reader.h"
#include "workloads/sources/trace/trace_writer.h"

namespace ipusim::cli {

namespace {

constexpr std::uint64_t kMostResultMebibytes = 512;
constexpr std::size_t kLongestItem = 400;

struct TraceRun {
  run::Experiment experiment;
  run::RunResult result;
};

/// Simulates programs, each a run config or a trace.
struct TraceRunner {
  const std::vector<Override>& overrides;
  const std::vector<Override>& limits;
  RunWatch& watch;

  [[nodiscard]] TraceRun play(const std::string& program) const {
    run::Experiment experiment =
        run::prepare(readRunConfig(program, overrides, limits),
                     [this](const run::RunWork& work) { watch.expect(work); });
    watch.now("simulating");
    run::RunResult result = run::simulate(experiment, Engine::ClosedForm);
    return {std::move(experiment), std::move(result)};
  }

  /// The result of a program, or one that a file holds.
  [[nodiscard]] Json resultOf(const std::string& file) const {
    const bool is_config = std::filesystem::path(file).extension() == ".toml";
    if (is_config || isTrace(file)) return report::withTiles(play(file).result);
    return interop::readResult(file);
  }
};

std::string listText(const std::string& heading, const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("  {}\n", oneLine(item, kLongestItem));
  return text.empty() ? text : heading + '\n' + text;
}

std::string importChakra(const TraceImportArguments& arguments) {
  if (arguments.files.size() != 1) {
    throw ConfigError(
        fmt::format("FILE: wanted one Chakra trace, found {} files", arguments.files.size()));
  }
  const std::string& file = arguments.files.front();
  const Machine machine = machineOfOption(arguments.machine.value_or(kUsualMachine));
  const std::string name = oneLine(file, kPathLength);
  const auto chakra = interop::chakra::readTrace(readFile(file, kMostResultMebibytes), name);
  interop::chakra::ChakraGraph built = interop::chakra::graphOf(chakra, name, machine);
  workloads::Trace trace;
  trace.header.written_by = std::string("ipusim ") + libraryVersion();
  trace.header.machine = machine.name;
  trace.header.workload = "chakra";
  trace.graph = std::move(built.graph);
  writeFile(arguments.out,
            workloads::compressedFor(arguments.out, workloads::traceText(trace, machine)));
  return listText("Without a counterpart:", built.without_counterpart);
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
  return jsonTextOf(json, 2) + '\n';
}

std::string diffPrograms(const TraceDiffArguments& arguments, const std::vector<Override>& limits) {
  if (!arguments.overrides.empty()) {
    throw ConfigError(
        "--set: wanted --results beside it (programs of traces have no keys), found "
        "none");
  }
  const auto differences =
      workloads::differences(readTraceFile(arguments.a, limits), readTraceFile(arguments.b, limits),
                             readPreset(kUsualMachine));
  return arguments.form == Form::Json ? differencesJson(differences) : differencesText(differences);
}

}  // namespace

std::string traceImport(const TraceImportArguments& arguments) {
  if (arguments.chakra) return importChakra(arguments);
  if (arguments.machine) {
    throw ConfigError(
        "--machine: wanted --chakra beside it (a profile names its machine itself), "
        "found none");
  }
  const Json result = interop::importProfile({arguments.files.begin(), arguments.files.end()});
  writeFile(arguments.out, interop::resultText(result));
  return listText("The profile does not say:", result.at("not_filled")) +
         listText("A result has no place for:", result.at("not_held"));
}

std::string traceExport(const TraceExportArguments& arguments, const std::vector<Override>& limits,
                        RunWatch& watch) {
  const TraceRun run = TraceRunner{arguments.overrides, limits, watch}.play(arguments.program);
  const std::string exported = translateErrors<ConfigError>(
      [&] { return textOf(interop::chakraOf(run.experiment.executable, run.result)); },
      [&](const ConfigError& error) {
        return ConfigError(
            fmt::format("{}: {}", oneLine(arguments.program, kPathLength), error.what()));
      });
  writeFile(arguments.out, exported);
  return "";
}

std::string traceDiff(const TraceDiffArguments& arguments, const std::vector<Override>& limits,
                      RunWatch& watch) {
  if (isTrace(arguments.a) && isTrace(arguments.b) && !arguments.results) {
    return diffPrograms(arguments, limits);
  }
  const TraceRunner runner{arguments.overrides, limits, watch};
  const Json a = runner.resultOf(arguments.a);
  const Json b = runner.resultOf(arguments.b);
  const report::ResultDiff diff =
      report::diffResults(JsonReader(a, oneLine(arguments.a, kPathLength)),
                          JsonReader(b, oneLine(arguments.b, kPathLength)));
  return arguments.form == Form::Json
             ? report::diffJson(diff, arguments.a, arguments.b)
                       .dump(2, ' ', false, Json::error_handler_t::replace) +
                   '\n'
             : report::diffText(diff, arguments.a, arguments.b);
}

}  // namespace ipusim::cli
