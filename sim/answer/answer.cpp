// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/answer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/json_text.h"
#include "sim/parallel/pipeline/page.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/report/json.h"
#include "sim/report/page/page_data.h"
#include "sim/report/text/table.h"

namespace ipusim::answer {

namespace {

ProgramAnswer programAnswer(const ConfigReader& config, const AnswerOptions& options) {
  run::expectPlayable(config, options.engine);
  run::RunWork work;
  const run::OnWorkEstimate on_estimate = [&](const run::RunWork& now) {
    work = now;
    if (options.on_estimate) options.on_estimate(now);
  };
  const auto simulated = [&](const run::Experiment& experiment) {
    return options.simulate ? options.simulate(experiment)
                            : run::simulate(experiment, options.engine);
  };
  if (options.cache != nullptr) {
    return {simulated(options.cache->prepare(config, on_estimate)), work};
  }
  return {simulated(run::prepare(config, on_estimate)), work};
}

ParallelAnswer parallelAnswer(const ConfigReader& config, const AnswerOptions& options) {
  parallel::ParallelTraining training = parallel::readParallel(config);
  parallel::ParallelPrediction prediction =
      parallel::predictParallel(training, options.engine, options.on_estimate);
  return {std::move(training), std::move(prediction)};
}

GpuAnswer gpuAnswer(const ConfigReader& config) {
  report::GpuExperiment experiment = report::prepareGpuAlone(config);
  run::CompareResult result = report::simulateGpuAlone(experiment);
  return {std::move(experiment), std::move(result)};
}

struct JsonOf {
  report::Stats stats = report::Stats::Without;

  Json operator()(const ProgramAnswer& answer) const {
    return report::toJson(answer.result, stats);
  }
  Json operator()(const ParallelAnswer& answer) const {
    return parallel::parallelJson(answer.training, answer.prediction);
  }
  Json operator()(const GpuAnswer& answer) const {
    return report::gpuAloneJson(answer.experiment, answer.result);
  }
};

struct PageDataOf {
  Json operator()(const ProgramAnswer& answer) const { return report::pageData(answer.result); }
  Json operator()(const ParallelAnswer& answer) const {
    return parallel::parallelPageData(answer.training, answer.prediction);
  }
  Json operator()(const GpuAnswer& /*answer*/) const { return nullptr; }
};

struct TextOf {
  const report::TableOptions& options;

  std::string operator()(const ProgramAnswer& answer) const {
    return report::tableText(answer.result, options);
  }
  std::string operator()(const ParallelAnswer& answer) const {
    return parallel::parallelText(answer.training, answer.prediction);
  }
  std::string operator()(const GpuAnswer& answer) const {
    return report::gpuAloneText(answer.experiment, answer.result);
  }
};

}  // namespace

Answer answerOf(const ConfigReader& config, const AnswerOptions& options) {
  switch (kindOf(config)) {
    case RunKind::Program:
      break;
    case RunKind::Parallel:
      return parallelAnswer(config, options);
    case RunKind::Gpu:
      return gpuAnswer(config);
  }
  return programAnswer(config, options);
}

Json jsonOf(const Answer& answer) {
  return std::visit(JsonOf(), answer);
}

std::string jsonTextOf(const Answer& answer, report::Stats stats) {
  return ipusim::jsonTextOf(std::visit(JsonOf{stats}, answer), 2) + '\n';
}

std::optional<report::PageKind> pageKindOf(const Answer& answer) {
  if (std::holds_alternative<GpuAnswer>(answer)) return std::nullopt;
  return std::holds_alternative<ParallelAnswer>(answer) ? report::PageKind::Parallel
                                                        : report::PageKind::Run;
}

Json pageDataOf(const Answer& answer) {
  return std::visit(PageDataOf(), answer);
}

std::string textOf(const Answer& answer, const report::TableOptions& options) {
  return std::visit(TextOf{options}, answer);
}

}  // namespace ipusim::answer
