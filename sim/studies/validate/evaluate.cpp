// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/run/uncertainty.h"
#include "sim/studies/validate/run_store.h"

namespace ipusim::validate {

namespace {

const std::string kCompare = "compare.";

constexpr std::size_t kNoteLength = 500;

std::vector<Override> joined(std::vector<Override> first, const std::vector<Override>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

class Evaluation {
 public:
  Evaluation(const Measurement& measurement, const Simulate& simulate)
      : measurement_(measurement),
        metric_(measurement.metric),
        config_(findConfigFile(measurement.runs.config, measurement.file)),
        simulate_(simulate) {}

  /// The summary over the row's runs that fit. Where none fits: nothing on one IPU; on several, the
  /// summary over all, whose stages are timed all the same.
  std::optional<double> run() {
    const std::optional<Value> found =
        summaryOver(measurement_.runs.overrides, [this](const std::vector<Override>& point) {
          return metric_.baseline.empty() ? valueAt(point) : ratioAt(point);
        });
    if (!found) return std::nullopt;
    is_too_large_ = !found->fits;
    noteSizes(found->value);
    return found->value;
  }

  /// The kind of prediction, as the runs name it. Empty for ratios and conditions, which depend on
  /// more than one run.
  [[nodiscard]] std::string prediction() const {
    return metric_.baseline.empty() && !metric_.where ? prediction_ : "";
  }
  /// The kind that the computing of runs on several IPUs has on one.
  [[nodiscard]] const std::string& computing() const { return computing_; }
  /// Sizes of the first run that gives the value; empty when none of them does.
  [[nodiscard]] const run::Sizes& sizes() const { return sizes_; }
  /// The share of the time of the last run that has this kind.
  [[nodiscard]] double share() const { return share_; }

  /// Whether the value of run() is of stages that do not fit their IPUs.
  [[nodiscard]] bool isTooLarge() const { return is_too_large_; }

  /// The reason why the last run that does not fit does not.
  [[nodiscard]] const std::string& whyNot() const { return why_not_; }

 private:
  /// A value, and whether it is of machines that can hold what they run.
  struct Value {
    double value;
    bool fits = true;
  };
  using ValueAt = std::function<std::optional<Value>(const std::vector<Override>&)>;

  /// Values that do not fit stand for themselves only where none fits.
  [[nodiscard]] std::optional<Value> summaryOver(const std::vector<OverrideList>& overrides,
                                                 const ValueAt& value_at) const {
    std::vector<double> fitting;
    std::vector<double> too_large;
    for (const std::vector<Override>& point : pointsOf(overrides)) {
      const std::optional<Value> found = value_at(point);
      if (found) (found->fits ? fitting : too_large).push_back(found->value);
    }
    if (const auto value = summaryOf(fitting, metric_.summary)) return Value{*value, true};
    if (const auto value = summaryOf(too_large, metric_.summary)) return Value{*value, false};
    return std::nullopt;
  }

  /// True when the machines of the metric fit: for `compare.a30.seconds` the IPU does not matter.
  [[nodiscard]] bool fits(const RunFigures& figures) const {
    const Json& result = figures.json;
    const std::string condition = metric_.where ? metric_.where->path : "";
    const std::string paths = metric_.path + ' ' + metric_.divisor + ' ' + condition;
    const bool compares_only = metric_.path.rfind(kCompare, 0) == 0 &&
                               (metric_.divisor.empty() || metric_.divisor.rfind(kCompare, 0) == 0);
    if (!compares_only && !figures.outcome.fits) return false;
    if (!result.contains("compare") || result["compare"].is_null()) return true;
    const auto& compared = result["compare"].items();
    return std::all_of(compared.begin(), compared.end(), [&paths](const auto& beside) {
      const bool meant = paths.find(kCompare + beside.key() + '.') != std::string::npos;
      return !meant || !beside.value().is_object() || beside.value().value("fits", true);
    });
  }

  /// The kind of prediction of the metric's machine.
  [[nodiscard]] std::string predictionIn(const Json& result) const {
    const std::string paths = metric_.path + ' ' + metric_.divisor;
    const Json* owner = &result;
    const Json compared = result.value("compare", Json::object());
    for (const auto& [name, beside] : compared.items()) {
      if (paths.find(kCompare + name + '.') != std::string::npos) owner = &beside;
    }
    const Json none = Json::object();
    return owner->value("uncertainty", none).value("kind", "");
  }

  void noteSizes(double value) {
    const auto gives = [value](const auto& run) { return run.first == value; };
    const auto found = std::find_if(runs_.begin(), runs_.end(), gives);
    if (found != runs_.end()) sizes_ = found->second;
  }

  /// On several IPUs, the time of the whole run speaks of links: how long the IPUs compute is known
  /// from one IPU. Times of single steps have no kind.
  void notePredictionOfLinks(const Json& result) {
    const bool is_of_run =
        metric_.path.rfind("time.", 0) == 0 || metric_.path.rfind("work.", 0) == 0;
    share_ = result.at("uncertainty").at("links_share").get<double>();
    computing_ = std::exchange(prediction_, is_of_run && share_ > 0 ? run::kAnyLinks : "");
  }

  std::optional<Value> valueAt(const std::vector<Override>& overrides) {
    const RunFigures figures = simulate_(config_, overrides);
    const Json& result = figures.json;
    const bool is_parallel = figures.outcome.kind == answer::RunKind::Parallel;
    const bool is_fitting = fits(figures);
    if (!is_fitting) {
      why_not_ = figures.outcome.fits ? answer::kTooLargeForGpu : figures.outcome.lacks;
      if (!is_parallel) return std::nullopt;
    }
    if (is_parallel) return Value{valueIn(result, metric_), is_fitting};
    prediction_ = predictionIn(result);
    if (result.contains("system")) notePredictionOfLinks(result);
    if (counts(result, metric_)) {
      const double value = valueIn(result, metric_);
      runs_.emplace_back(value, run::sizesOf(result.value("config", Json::object())));
      return Value{value};
    }
    why_not_ = "no run of the set meets the condition";
    return std::nullopt;
  }

  std::optional<Value> ratioAt(const std::vector<Override>& overrides) {
    const std::optional<Value> value = valueAt(overrides);
    if (!value) return std::nullopt;
    const std::optional<Value> baseline = summaryOver(
        metric_.baseline,
        [&](const std::vector<Override>& added) { return valueAt(joined(overrides, added)); });
    if (!baseline) return std::nullopt;
    return Value{value->value / baseline->value, value->fits && baseline->fits};
  }

  const Measurement& measurement_;
  const Metric& metric_;
  std::filesystem::path config_;
  const Simulate& simulate_;
  std::string why_not_;
  std::string prediction_;
  std::string computing_;
  double share_ = 1;
  std::vector<std::pair<double, run::Sizes>> runs_;
  run::Sizes sizes_;
  bool is_too_large_ = false;
};

void fillIn(Verdict& verdict, const Measurement& measurement, const Simulate& simulate) {
  Evaluation evaluation(measurement, simulate);
  verdict.predicted = evaluation.run();
  verdict.prediction = evaluation.prediction();
  verdict.computing = evaluation.computing();
  verdict.share = evaluation.share();
  verdict.sizes = evaluation.sizes();
  if (verdict.predicted && !std::isfinite(*verdict.predicted)) {
    verdict.predicted.reset();
    verdict.status = Status::Failed;
    verdict.note = "the metric divides by zero";
  } else if (!verdict.predicted || evaluation.isTooLarge()) {
    verdict.status = Status::DoesNotFit;
    verdict.note = evaluation.whyNot();
  }
}

/// The runs that evaluate() asks for.
std::vector<StoredRun> runsOf(const Measurement& measurement) {
  const auto config = findConfigFile(measurement.runs.config, measurement.file);
  std::vector<StoredRun> runs;
  for (const std::vector<Override>& point : pointsOf(measurement.runs.overrides)) {
    runs.push_back({config, point});
    if (measurement.metric.baseline.empty()) continue;
    for (const std::vector<Override>& added : pointsOf(measurement.metric.baseline)) {
      runs.push_back({config, joined(point, added)});
    }
  }
  return runs;
}

std::vector<StoredRun> runsOf(const std::vector<Measurement>& measurements) {
  std::vector<StoredRun> runs;
  for (const Measurement& measurement : measurements) {
    // evaluate() tells of an error.
    auto of_one = resultOrNone<ConfigError>([&] { return runsOf(measurement); });
    if (!of_one) continue;
    for (StoredRun& run : *of_one) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

std::optional<double> Verdict::errorPercent() const {
  if (!predicted) return std::nullopt;
  return 100 * (*predicted - published) / std::abs(published);
}

Verdict evaluate(const Measurement& measurement, const Simulate& simulate) {
  Verdict verdict{measurement.id,
                  measurement.kind,
                  measurement.unit,
                  measurement.value,
                  Status::Ok,
                  std::nullopt,
                  "",
                  measurement.role};
  verdict.machine = measurement.machine;
  verdict.source = measurement.source;
  if (!measurement.locator.empty()) verdict.source += ", " + measurement.locator;
  const auto end = [&verdict](Status status, const std::string& fault) {
    verdict.status = status;
    verdict.note = oneLine(fault, kNoteLength);
  };
  const auto fill = [&] {
    const auto wrong = faultOf<ConfigError>([&] { fillIn(verdict, measurement, simulate); });
    if (wrong) end(Status::NotExpressible, *wrong);
  };
  if (const auto fault = faultOf<std::exception>(fill)) end(Status::Failed, *fault);
  return verdict;
}

std::vector<Verdict> validate(const std::vector<Measurement>& measurements,
                              const ValidateOptions& options) {
  RunStore store(options.engine);
  const bool one = options.engine == Engine::SystemC;  // it has one kernel per process
  store.compute(runsOf(measurements), one ? 1 : options.threads, options.done);
  const Simulate simulate = [&store](const std::filesystem::path& config,
                                     const std::vector<Override>& overrides) {
    return store.resultOf(config, overrides);
  };
  std::vector<Verdict> verdicts;
  verdicts.reserve(measurements.size());
  for (const Measurement& measurement : measurements) {
    verdicts.push_back(evaluate(measurement, simulate));
  }
  return verdicts;
}

}  // namespace ipusim::validate
