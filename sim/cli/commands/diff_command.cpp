// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files/read_file.h"
#include "base/numbers/whole_number.h"
#include "base/text/csv_reader.h"
#include "base/text/json.h"
#include "base/text/json_reader.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/answer/run_kind.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/commands/report_file.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/interop/profiles/import.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/report/csv.h"
#include "sim/report/diff/changes.h"
#include "sim/report/page/changes_data.h"
#include "sim/run/simulate.h"

namespace ipusim::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostMebibytes = 512;

/// One of the two that are compared.
struct Side {
  const std::string& place;
  const std::vector<Override>& own;  ///< overrides of this side alone
  const char* option;                ///< that gives these
};

/// The result of a program, simulated on the closed form.
Json played(const Side& side, const DiffArguments& arguments) {
  std::vector<Override> overrides = arguments.overrides;
  overrides.insert(overrides.end(), side.own.begin(), side.own.end());
  const ConfigReader config = readRunConfig(side.place, overrides);
  answer::expectProgram(config, {"an IPU, which has steps and variables", "a config without it"});
  RunWatch watch(arguments.limits, Engine::ClosedForm);
  const run::Experiment experiment =
      run::prepare(config, [&watch](const run::RunWork& work) { watch.expect(work); });
  watch.now("simulating");
  return report::withVariables(run::simulate(experiment, Engine::ClosedForm));
}

/// Where the lines of a variables.csv have what a comparison needs.
struct VariableColumns {
  std::size_t name;
  std::size_t total_bytes;
};

/// None where a column is missing.
std::optional<VariableColumns> columnsIn(const std::vector<std::string>& header) {
  const auto name = std::find(header.begin(), header.end(), "name");
  const auto bytes = std::find(header.begin(), header.end(), "total_bytes");
  if (name == header.end() || bytes == header.end()) return std::nullopt;
  return VariableColumns{static_cast<std::size_t>(name - header.begin()),
                         static_cast<std::size_t>(bytes - header.begin())};
}

/// The name and the bytes of a variable in a line of variables.csv.
Json variableIn(const CsvRecord& record, const VariableColumns& columns, const std::string& file) {
  const bool is_long = record.cells.size() > std::max(columns.name, columns.total_bytes);
  const auto bytes = is_long ? wholeNumberIn(record.cells[columns.total_bytes]) : std::nullopt;
  if (bytes) return {{"name", report::textOfCell(record.cells[columns.name])}, {"bytes", *bytes}};
  throw ConfigError(
      fmt::format("{}:{}: wanted a line of variables.csv with whole total_bytes, found {}",
                  oneLine(file, kPathLength), record.line,
                  is_long ? inQuotes(record.cells[columns.total_bytes])
                          : fmt::format("{} cells", record.cells.size())));
}

/// The variables of a file that `ipusim run --out` wrote.
Json variablesIn(const fs::path& file) {
  const auto records = parseCsv(readFile(file, kMostMebibytes), file.string());
  const auto columns = records.empty() ? std::nullopt : columnsIn(records.front().cells);
  if (!columns) {
    throw ConfigError(fmt::format("{}:1: wanted the columns name and total_bytes, found others",
                                  oneLine(file.string(), kPathLength)));
  }
  Json variables = Json::array();
  for (std::size_t r = 1; r < records.size(); ++r) {
    variables.push_back(variableIn(records[r], *columns, file.string()));
  }
  return variables;
}

bool isProgram(const std::string& place) {
  return fs::path(place).extension() == ".toml" || isTrace(place);
}

/// What is at the place of a side: a program, a result or a folder with one.
Json resultAt(const Side& side, const DiffArguments& arguments) {
  std::error_code ignored;  // readResult() says what is wrong with the place
  const std::string& place = side.place;
  if (isProgram(place)) return played(side, arguments);
  if (!fs::is_directory(place, ignored)) return interop::readResult(place);
  Json result = interop::readResult(fs::path(place) / "result.json");
  const fs::path variables = fs::path(place) / "variables.csv";
  if (fs::exists(variables, ignored)) result["variables"] = variablesIn(variables);
  return result;
}

/// Throws for overrides of a result, whose program ran before.
void expectPrograms(const Side& a, const Side& b, const DiffArguments& arguments) {
  if (!arguments.overrides.empty() && !isProgram(a.place) && !isProgram(b.place)) {
    throw ConfigError("--set: wanted a config or a trace among A and B, found results only");
  }
  for (const Side& side : {a, b}) {
    if (side.own.empty() || isProgram(side.place)) continue;
    throw ConfigError(fmt::format("{}: wanted a config or a trace on its side, found {}",
                                  side.option, inQuotes(side.place)));
  }
}

}  // namespace

ExitCode diffCommand(const DiffArguments& arguments) {
  const Side left{arguments.a, arguments.overrides_of_a, "--set-a"};
  const Side right{arguments.b, arguments.overrides_of_b, "--set-b"};
  expectPrograms(left, right, arguments);
  OutputFiles().add("--report", arguments.report).expectApart({arguments.a, arguments.b});
  if (arguments.report) expectWritableFile(*arguments.report);
  const Json a = resultAt(left, arguments);
  const Json b = resultAt(right, arguments);
  const auto changes = report::changesOf(JsonReader(a, oneLine(arguments.a, kPathLength)),
                                         JsonReader(b, oneLine(arguments.b, kPathLength)));
  if (arguments.report) {
    writeReport(report::PageKind::Changes,
                report::changesPageData(changes, {arguments.a, a}, {arguments.b, b}),
                *arguments.report);
  }
  const auto shown = arguments.all ? report::ShownChanges::All : report::ShownChanges::Largest;
  print(arguments.form == Form::Json
            ? report::changesJson(changes, arguments.a, arguments.b)
                      .dump(2, ' ', false, Json::error_handler_t::replace) +
                  '\n'
            : report::changesText(changes, arguments.a, arguments.b, shown));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
