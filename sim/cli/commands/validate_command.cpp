// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files/write_file.h"
#include "sim/cli/cache_in_use.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/watch/progress.h"
#include "sim/cli/watch/terminal.h"
#include "sim/studies/validate/evaluate.h"
#include "sim/studies/validate/report.h"
#include "sim/studies/validate/spread.h"

namespace ipusim::cli {

namespace {

std::vector<validate::Measurement> measurementsOf(const ValidateArguments& arguments) {
  if (arguments.files.empty()) {
    return validate::readMeasurements(validate::shippedMeasurements());
  }
  std::vector<std::filesystem::path> files;
  files.reserve(arguments.files.size());
  for (const std::string& file : arguments.files) files.push_back(findConfigFile(file, {}));
  return validate::readMeasurements(files);
}

/// Another value for a key of all runs of a row, whatever values the row has for it.
void setIn(validate::Measurement& row, const Override& other) {
  std::vector<validate::OverrideList>& lists = row.runs.overrides;
  const auto has_key = [&other](const auto& list) { return list.key == other.key; };
  lists.erase(std::remove_if(lists.begin(), lists.end(), has_key), lists.end());
  lists.push_back({other.key, {other.value}});
}

std::string textOf(const std::vector<validate::Verdict>& verdicts, Form form) {
  switch (form) {
    case Form::Table:
      return validate::tableText(verdicts);
    case Form::Json:
      return validate::jsonText(verdicts);
    case Form::Markdown:
      return validate::markdownText(verdicts);
  }
  throw InternalError("no such form");
}

}  // namespace

ExitCode validateCommand(const ValidateArguments& arguments) {
  const CacheInUse cache(arguments.cache);
  OutputFiles().add("--spread", arguments.spread).expectApart(arguments.files);
  if (arguments.spread) expectWritableFile(*arguments.spread);
  std::vector<validate::Measurement> measurements = measurementsOf(arguments);
  for (validate::Measurement& row : measurements) {
    for (const Override& other : arguments.overrides) setIn(row, other);
  }
  std::vector<validate::Verdict> verdicts;
  {
    Progress progress("validating");
    validate::ValidateOptions options;
    options.engine = arguments.engine;
    options.threads = arguments.jobs;
    options.done = [&progress](std::size_t done, std::size_t all) {
      progress.now(fmt::format("{} of {} runs are done", done, all));
    };
    verdicts = validate::validate(measurements, options);
  }
  if (arguments.spread) writeFile(*arguments.spread, validate::spreadText(verdicts));
  print(textOf(verdicts, arguments.form));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
