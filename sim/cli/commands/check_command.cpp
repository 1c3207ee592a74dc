// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/run_kind.h"
#include "sim/cli/commands/check_answer.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/run/summary/summarize.h"
#include "sim/run/with_source.h"

namespace ipusim::cli {

namespace {

std::vector<run::VariableDigest> digestsOf(const run::Experiment& experiment) {
  const workloads::BuiltWorkload& workload = experiment.workload;
  // A program may ask for what its file does not have, such as a row that a remote buffer lacks.
  return run::withSource(workload, [&] {
    return run::digestsOf(workload.graph, experiment.executable, workload.below);
  });
}

ConfigReader configOf(const CheckArguments& arguments) {
  ConfigReader config = readRunConfig(arguments.config, arguments.overrides);
  answer::expectProgram(config, {"an IPU (machine and workload), whose numbers are computed",
                                 "a config without it: one IPU is executed with numbers"});
  return config;
}

}  // namespace

ExitCode checkCommand(const CheckArguments& arguments) {
  std::string answer;
  ExitCode code = ExitCode::Done;
  {
    RunWatch watch(arguments.limits, arguments.options.jobs);
    const run::Experiment experiment = run::prepare(
        configOf(arguments), [&watch](const run::RunWork& work) { watch.expect(work); });
    if (const auto oom = run::outOfMemory(experiment)) {
      answer = doesNotFitAnswer(experiment, *oom, arguments.form);
    } else if (!experiment.workload.source.empty()) {
      watch.execute();
      answer = digestsAnswer(experiment, digestsOf(experiment), arguments.form);
    } else {
      watch.execute();
      const run::NumberCheck check = run::checkNumbers(experiment, arguments.options);
      answer = checkAnswer(experiment, check, arguments.form);
      if (!check.found.ok) code = ExitCode::WrongNumbers;
    }
  }
  print(answer);
  return code;
}

}  // namespace ipusim::cli
