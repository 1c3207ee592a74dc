// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/cli/commands.h"
#include "sim/cli/progress.h"
#include "sim/cli/terminal.h"
#include "sim/run/check_experiment.h"

namespace ipusim::cli {

namespace {

/// The largest error, where it is, and how large it may be.
std::string answerOf(const run::Experiment& experiment, const checker::CheckResult& result) {
  std::string answer =
      fmt::format("{} on {}: the numbers are {}\n", experiment.workload_kind,
                  experiment.executable.machine.name, result.ok ? "right" : "WRONG");
  answer += fmt::format("  {} elements compared\n", result.elements);
  answer +=
      fmt::format("  largest error {:.3g} of {:.3g}: {:.3g}, tolerance {:.3g}\n", result.max_error,
                  result.max_reference, result.relative, experiment.workload.reference.tolerance);
  answer += fmt::format("  at {}[{}]: wanted {:.9g}, found {:.9g}\n", result.output, result.index,
                        result.wanted, result.found);
  return answer;
}

}  // namespace

ExitCode checkCommand(const CheckArguments& arguments) {
  std::string answer;
  ExitCode code = kDone;
  {
    Progress progress("compiling");
    const run::Experiment experiment = run::prepare(
        ConfigReader::fromFile(findConfigFile(arguments.config, {}), arguments.overrides));
    progress.now("executing with numbers");
    const checker::CheckResult result = run::checkNumbers(experiment);
    answer = answerOf(experiment, result);
    if (!result.ok) code = kWrongNumbers;
  }
  print(answer);
  return code;
}

}  // namespace ipusim::cli
