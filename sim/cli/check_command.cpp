// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/message.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_watch.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_file.h"
#include "sim/parallel/pipeline/settings.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/quantity.h"
#include "sim/run/check_digests.h"
#include "sim/run/check_experiment.h"
#include "sim/run/summarize.h"
#include "sim/run/with_source.h"

namespace ipusim::cli {

namespace {

/// The answer: the largest error, its place, and how large it may be.
std::string answerOf(const run::Experiment& experiment, const run::NumberCheck& check) {
  const checker::CheckResult& found = check.found;
  std::string answer = fmt::format(
      "{} on {}: the numbers are {}\n"
      "  compared       {} elements\n"
      "  largest error  {:.3g} beside numbers up to {:.3g}: {:.3g}, tolerance {:.3g}\n"
      "  found at       {}[{}]{}: wanted {:.9g}, found {:.9g}\n",
      experiment.workload_kind, oneLine(experiment.executable.machine.name),
      found.ok ? "right" : "WRONG", run::countText(found.elements), found.max_error,
      found.max_reference, found.relative, check.tolerance, found.output, found.index,
      found.round > 0 ? fmt::format(" after round {}", found.round) : "", found.wanted,
      found.found);
  for (const std::string& warning : experiment.workload.warnings) {
    answer += fmt::format("  left out       {}\n", warning);
  }
  return answer;
}

/// The answer for a program that does not fit: numbers would need memory that no tile has.
std::string doesNotFit(const run::Experiment& experiment, const OutOfMemory& oom) {
  return fmt::format(
      "{} on {}: it does not fit, so that there are no numbers: tile {} lacks {} in {}\n",
      experiment.workload_kind, oneLine(experiment.executable.machine.name), oom.tile,
      run::bytesText(oom.bytes_over), oneLine(oom.step));
}

/// The answer for a program that was read, which nobody knows the right numbers of: what they are.
std::string digestsAnswer(const run::Experiment& experiment) {
  std::string answer =
      fmt::format("{} on {}: nobody says what the numbers should be; they are\n",
                  experiment.workload_kind, oneLine(experiment.executable.machine.name));
  const workloads::BuiltWorkload& workload = experiment.workload;
  // A program may ask for what its file does not have, such as a row that a remote buffer lacks.
  const auto digests = run::withSource(workload, [&] {
    return run::digestsOf(workload.graph, experiment.executable, workload.below);
  });
  for (const run::VariableDigest& one : digests) {
    answer += fmt::format("  {:016x}  {} ({} elements)\n", one.digest, oneLine(one.variable),
                          run::countText(one.elements));
  }
  return answer;
}

ConfigReader configOf(const CheckArguments& arguments) {
  ConfigReader config = readRunConfig(arguments.config, arguments.overrides);
  if (run::isGpuAlone(config)) {
    throw config.error("gpu", "an IPU (machine and workload), whose numbers are computed");
  }
  if (parallel::isParallel(config)) {
    throw config.error("parallel", "a config without it: one IPU is executed with numbers");
  }
  return config;
}

}  // namespace

ExitCode checkCommand(const CheckArguments& arguments) {
  std::string answer;
  ExitCode code = ExitCode::Done;
  {
    RunWatch watch(arguments.limits, arguments.options.jobs);
    const run::Experiment experiment = run::prepare(
        configOf(arguments), [&watch](const run::HostWork& work) { watch.hear(work); });
    if (const auto oom = run::outOfMemory(experiment)) {
      answer = doesNotFit(experiment, *oom);
    } else if (!experiment.workload.source.empty()) {
      watch.now("executing with numbers");
      answer = digestsAnswer(experiment);
    } else {
      watch.now("executing with numbers");
      const run::NumberCheck check = run::checkNumbers(experiment, arguments.options);
      answer = answerOf(experiment, check);
      if (!check.found.ok) code = ExitCode::WrongNumbers;
    }
  }
  print(answer);
  return code;
}

}  // namespace ipusim::cli
