// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/run/csv.h"
#include "sim/run/output_folder.h"
#include "sim/run/simulate.h"
#include "sim/run/table.h"

namespace ipusim::cli {

namespace {

run::RunResult simulated(const RunArguments& arguments) {
  Progress progress("compiling");
  const run::Experiment experiment = run::prepare(
      ConfigReader::fromFile(findConfigFile(arguments.config, {}), arguments.overrides));
  progress.now("simulating");
  return run::simulate(experiment, arguments.engine);
}

void writeFiles(const run::RunResult& result, const run::OutputFolder& folder, run::Stats stats) {
  folder.write("result.json", run::jsonText(result, stats));
  folder.write("steps.csv", run::stepsCsv(result));
  folder.write("tiles.csv", run::tilesCsv(result));
}

}  // namespace

ExitCode runCommand(const RunArguments& arguments) {
  std::optional<run::OutputFolder> folder;
  if (arguments.out) folder.emplace(*arguments.out);
  const run::RunResult result = simulated(arguments);
  if (folder) writeFiles(result, *folder, arguments.stats);
  print(arguments.form == Form::Json ? run::jsonText(result, arguments.stats)
                                     : run::tableText(result, arguments.stats));
  return ExitCode::Done;
}

}  // namespace ipusim::cli
