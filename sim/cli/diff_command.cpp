// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/message.h"
#include "base/read_file.h"
#include "ipusim/error.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_watch.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_file.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/report/changes.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/import/import.h"
#include "sim/run/simulate.h"
#include "sim/studies/validate/csv_reader.h"

namespace ipusim::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kPathLength = 4096;
constexpr std::uint64_t kMostMebibytes = 512;

/// The result of a program, simulated on the closed form.
Json played(const std::string& program, const DiffArguments& arguments) {
  const ConfigReader config = readRunConfig(program, arguments.overrides);
  if (run::isGpuAlone(config)) throw config.error("gpu", "an IPU, which has steps and variables");
  if (parallel::isParallel(config)) throw config.error("parallel", "a config without it");
  RunWatch watch(arguments.limits, Engine::ClosedForm);
  const run::Experiment experiment =
      run::prepare(config, [&watch](const run::RunWork& work) { watch.hear(work); });
  watch.now("simulating");
  return run::withVariables(run::simulate(experiment, Engine::ClosedForm));
}

/// The name and the bytes of a variable in a line of variables.csv.
Json variableIn(const validate::CsvRecord& record, const std::string& file) {
  constexpr std::size_t kName = 0;
  constexpr std::size_t kTotalBytes = 6;
  std::uint64_t bytes = 0;
  if (record.cells.size() > kTotalBytes) {
    const std::string& text = record.cells[kTotalBytes];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error == std::errc() && end == text.data() + text.size()) {
      return {{"name", record.cells[kName]}, {"bytes", bytes}};
    }
  }
  throw ConfigError(
      fmt::format("{}:{}: wanted a line of variables.csv with whole total_bytes, found another",
                  oneLine(file), record.line));
}

/// The variables of a file that `ipusim run --out` wrote.
Json variablesIn(const fs::path& file) {
  const auto records = validate::parseCsv(readFile(file, kMostMebibytes), file.string());
  Json variables = Json::array();
  for (std::size_t r = 1; r < records.size(); ++r) {  // the first has the names of the columns
    variables.push_back(variableIn(records[r], file.string()));
  }
  return variables;
}

/// What is at `place`: a program, a result or a folder with one.
Json resultAt(const std::string& place, const DiffArguments& arguments) {
  if (fs::path(place).extension() == ".toml" || isTrace(place)) return played(place, arguments);
  if (!fs::is_directory(place)) return run::readResult(place);
  Json result = run::readResult(fs::path(place) / "result.json");
  const fs::path variables = fs::path(place) / "variables.csv";
  if (fs::exists(variables)) result["variables"] = variablesIn(variables);
  return result;
}

}  // namespace

ExitCode diffCommand(const DiffArguments& arguments) {
  const Json a = resultAt(arguments.a, arguments);
  const Json b = resultAt(arguments.b, arguments);
  const auto changes = run::changesOf(JsonReader(a, oneLine(arguments.a, kPathLength)),
                                      JsonReader(b, oneLine(arguments.b, kPathLength)));
  const auto shown = arguments.all ? run::ShownChanges::All : run::ShownChanges::Largest;
  print(arguments.form == Form::Json
            ? run::changesJson(changes, arguments.a, arguments.b).dump(2) + '\n'
            : run::changesText(changes, arguments.a, arguments.b, shown));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
