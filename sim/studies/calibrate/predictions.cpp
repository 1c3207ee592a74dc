// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/predictions.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/text/json.h"
#include "models/gpu/machine_fields.h"
#include "sim/answer/answer.h"
#include "sim/run/compile_cache.h"
#include "sim/studies/validate/evaluate.h"

namespace ipusim::calibrate {

using Values = std::vector<double>;

namespace {

/// The text that tells a run from the others of a calibration.
std::string keyOf(const std::filesystem::path& config, const std::vector<Override>& overrides) {
  std::string key = config.string();
  for (const Override& one : overrides) key += '\n' + one.key + '=' + one.value;
  return key;
}

double predictedOf(const validate::Measurement& row, const validate::Simulate& simulate) {
  const validate::Verdict verdict = validate::evaluate(row, simulate);
  if (verdict.predicted) return *verdict.predicted;
  throw ConfigError(fmt::format("{}: {}: wanted a row with a value, found {}: {}",
                                row.file.string(), row.id, nameOf(verdict.status), verdict.note));
}

/// Predicts rows of a GPU alone. Each config is read once; every prediction replaces its constants.
class GpuPredictions {
 public:
  explicit GpuPredictions(const Calibration& calibration) : calibration_(calibration) {}

  double operator()(std::size_t row, const Values& values) {
    return predictedOf(calibration_.rows[row].measurement,
                       [&](const std::filesystem::path& config, const auto& overrides) {
                         return resultOf(config, overrides, values);
                       });
  }

 private:
  validate::RunFigures resultOf(const std::filesystem::path& config,
                                const std::vector<Override>& overrides, const Values& values) {
    report::GpuExperiment experiment = experimentOf(config, overrides);
    gpu::Machine& machine = experiment.options.machine;
    for (std::size_t c = 0; c < values.size(); ++c) {
      machine = withValue(std::move(machine), calibration_.constants[c].key, values[c]);
    }
    run::CompareResult result = report::simulateGpuAlone(experiment, run::Band::Without);
    return validate::figuresOf(answer::GpuAnswer{std::move(experiment), std::move(result)});
  }

  const report::GpuExperiment& experimentOf(const std::filesystem::path& config,
                                            const std::vector<Override>& overrides) {
    const std::string key = keyOf(config, overrides);
    const auto found = experiments_.find(key);
    if (found != experiments_.end()) return found->second;
    const ConfigReader read = ConfigReader::fromFile(config, overrides);
    if (answer::kindOf(read) != answer::RunKind::Gpu) {
      throw read.error("gpu", "a GPU alone, in a row of its constants");
    }
    return experiments_.emplace(key, report::prepareGpuAlone(read)).first->second;
  }

  const Calibration& calibration_;
  std::map<std::string, report::GpuExperiment> experiments_;
};

/// Predicts rows of an IPU. The constants are overrides of the run's machine. Every run stays
/// compiled: a prediction compiles again only what its constants change.
class MachinePredictions {
 public:
  explicit MachinePredictions(const Calibration& calibration) : calibration_(calibration) {}

  double operator()(std::size_t row, const Values& values) {
    return predictedOf(calibration_.rows[row].measurement,
                       [&](const std::filesystem::path& config, const auto& overrides) {
                         return resultOf(config, overrides, values);
                       });
  }

 private:
  /// A run, with its results by the values of the constants.
  struct PreparedRun {
    run::CompileCache compiled;
    std::map<std::vector<std::string>, validate::RunFigures> results;
  };

  const validate::RunFigures& resultOf(const std::filesystem::path& config,
                                       std::vector<Override> overrides, const Values& values) {
    PreparedRun& run = runs_[keyOf(config, overrides)];
    std::vector<std::string> texts;
    for (std::size_t c = 0; c < values.size(); ++c) {
      texts.push_back(fmt::format("{:.0f}", std::round(values[c])));
      overrides.push_back({"machine." + calibration_.constants[c].key, texts.back()});
    }
    const auto found = run.results.find(texts);
    if (found != run.results.end()) return found->second;
    answer::AnswerOptions options;
    options.cache = &run.compiled;
    validate::RunFigures result =
        validate::figuresOf(answer::answerOf(ConfigReader::fromFile(config, overrides), options));
    return run.results.emplace(std::move(texts), std::move(result)).first->second;
  }

  const Calibration& calibration_;
  std::map<std::string, PreparedRun> runs_;
};

}  // namespace

Predict predictionsOf(const Calibration& calibration) {
  if (calibration.target == Target::Gpu) {
    return [model = std::make_shared<GpuPredictions>(calibration)](
               std::size_t row, const Values& values) { return (*model)(row, values); };
  }
  return [model = std::make_shared<MachinePredictions>(calibration)](
             std::size_t row, const Values& values) { return (*model)(row, values); };
}

}  // namespace ipusim::calibrate
