// SPDX-License-Identifier: Apache-2.0
#include "sim/run/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/gpu/machine_fields.h"

namespace ipusim::run {

namespace {

bool hasUserVertices(const compiler::Executable& executable) {
  const auto is_of_user = [](const compiler::BoundFamily& family) {
    return family.type->origin == Origin::User;
  };
  return std::any_of(executable.lowered.steps.begin(), executable.lowered.steps.end(),
                     [&](const compiler::Step& step) {
                       return std::any_of(step.families.begin(), step.families.end(), is_of_user);
                     });
}

double shareOf(double part, double whole) {
  return whole > 0 ? std::min(1.0, part / whole) : 0;
}

double shareOf(Cycles part, const RunResult& result) {
  return shareOf(static_cast<double>(part.value()),
                 static_cast<double>(result.time.cycles.value()));
}

/// The share of the framework in the time of a host copy, which adds to that of the link.
double frameworkShare(const HostRates& host) {
  const double link = 1 / static_cast<double>(host.link_bytes_per_second);
  const double framework = 1 / static_cast<double>(host.framework_bytes_per_second);
  return framework / (link + framework);
}

/// The share of the time that grows with a constant. An unknown constant counts in full.
double shareOf(const std::string& key, const Experiment& experiment, const RunResult& result) {
  if (key == "compiled_slots_per_1000_elements") {
    return hasUserVertices(experiment.executable) ? shareOf(result.time.compute, result) : 0;
  }
  if (key == "framework_bytes_per_second") {
    if (!experiment.copies_by_framework) return 0;
    const HostRates& rates = experiment.executable.system.ipu.host;
    return shareOf(result.time.host, result) * frameworkShare(rates);
  }
  if (key == "cycle_counter_cycles") {
    const bool counted = experiment.workload.timing == TimingMode::TileCountersRaw;
    const Cycles counter = experiment.executable.system.ipu.cycle_counter;
    return counted ? shareOf(counter, result) : 0;
  }
  return 1;
}

Uncertainty withBand(Uncertainty uncertainty, double seconds) {
  const double links = uncertainty.links_share.value_or(0);
  const double relative = std::hypot((1 - links) * uncertainty.spread,
                                     links * uncertainty.links_spread, uncertainty.constants);
  uncertainty.low_seconds = seconds * std::exp(-relative);
  uncertainty.high_seconds = seconds * std::exp(relative);
  return uncertainty;
}

/// How far ln(time) moves when the constant moves by its standard error.
double moveOf(const CompareOptions& options, const gpu::Program& program,
              const gpu::Constant& constant) {
  const auto seconds = [&](double value) {
    const gpu::Machine machine = withValue(options.machine, constant.key, value);
    return programTime(machine, program, options.host).total.value().seconds;
  };
  // Both steps are proportional, so that a constant above zero stays there.
  const double factor = std::exp(constant.standard_error / constant.value);
  return std::log(seconds(constant.value * factor) / seconds(constant.value / factor)) / 2;
}

double correlationOf(const gpu::Constant& constant, const std::string& other) {
  const auto found = std::find_if(constant.correlations.begin(), constant.correlations.end(),
                                  [&other](const auto& one) { return one.first == other; });
  return found == constant.correlations.end() ? 0 : found->second;
}

}  // namespace

std::string kindOfRun(const Experiment& experiment) {
  const std::string& kind = experiment.workload.prediction_kind;
  return experiment.copies_by_framework ? kind + " framework" : kind;
}

std::string kindOfProgram(const gpu::Program& program, gpu::Host host) {
  std::vector<std::string> kinds;
  for (const gpu::Operator& op : program.operators) {
    const bool one_figure = op.call == gpu::FrameworkCall::ButterflyStage ||
                            op.call == gpu::FrameworkCall::PixelflyLayer ||
                            op.call == gpu::FrameworkCall::TrainingStep;
    if (one_figure) {
      kinds.emplace_back(program.name);
    } else {
      for (const gpu::Kernel& kernel : op.kernels) kinds.emplace_back(nameOf(kernel));
    }
  }
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::string text = "gpu";
  for (const std::string& kind : kinds) text += ' ' + kind;
  return host == gpu::Host::None ? text : text + ' ' + nameOf(host);
}

Uncertainty uncertaintyOf(const Experiment& experiment, const RunResult& result) {
  Uncertainty uncertainty = spreadOf(kindOfRun(experiment), sizesOf(experiment.config.json()));
  double square = 0;
  for (const FittedConstant& constant : experiment.executable.system.ipu.fitted) {
    const double move =
        constant.standard_error / constant.value * shareOf(constant.key, experiment, result);
    square += move * move;
  }
  uncertainty.constants = std::sqrt(square);
  if (experiment.executable.system.ipus > 1) {
    uncertainty.links_share = 1 - shareOf(result.time.compute, result);
    uncertainty.links_spread = spreadOf(kAnyLinks).spread;
  }
  return withBand(uncertainty, result.time.seconds);
}

Uncertainty uncertaintyOf(const CompareOptions& options, const gpu::Program& program,
                          double seconds) {
  Uncertainty uncertainty = spreadOf(kindOfProgram(program, options.host));
  std::vector<std::pair<const gpu::Constant*, double>> moves;
  for (const gpu::Constant& constant : options.machine.constants) {
    if (constant.standard_error <= 0 || constant.value <= 0) continue;
    const double move = moveOf(options, program, constant);
    if (move != 0) moves.emplace_back(&constant, move);
  }
  double square = 0;
  for (const auto& [constant, move] : moves) {
    for (const auto& [other, other_move] : moves) {
      const double correlation = constant == other ? 1 : correlationOf(*constant, other->key);
      square += correlation * move * other_move;
    }
  }
  uncertainty.constants = std::sqrt(std::max(0.0, square));
  return withBand(uncertainty, seconds);
}

}  // namespace ipusim::run
