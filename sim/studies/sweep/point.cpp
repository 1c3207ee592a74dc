// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/point.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error_boundary.h"
#include "base/files/disk_cache.h"
#include "base/text/json.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "sim/answer/answer.h"
#include "sim/answer/outcome.h"
#include "sim/report/text/excess.h"
#include "sim/studies/sweep/space/flatten.h"

namespace ipusim::sweep {

namespace {

constexpr std::size_t kPointReasonLength = 500;
constexpr const char* kStage = "point";  // in the disk cache

/// Keys that a row leaves out: they are equal in all rows, or stand in the axes.
constexpr std::array<const char*, 4> kLeftOut = {"schema", "tool_version", "commit", "config"};

/// One of these sections is in every result: of an IPU, of several, of a GPU alone.
constexpr std::array<std::string_view, 3> kFigures = {"time.", "step.", "compare."};

Json scalarsOf(Json result) {
  for (const char* key : kLeftOut) result.erase(key);
  Json scalars = Json::object();
  for (Scalar& scalar : flatten(result)) scalars[scalar.path] = std::move(scalar.text);
  return scalars;
}

/// Thrown when a point would take more of this computer than its limits allow.
class OverLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The scalars of a result, and what studies compare of it.
struct Computed {
  Json scalars;
  answer::Outcome outcome;
};

Computed computed(const ConfigReader& config, const PointRun& how, run::CompileCache& cache) {
  answer::AnswerOptions options;
  options.engine = how.engine;
  options.cache = &cache;
  options.on_estimate = [&how](const run::RunWork& work) {
    const auto excess = report::describeExcess(run::hostCost(work, how.engine), how.limits);
    if (excess) throw OverLimit("not run: it would take " + *excess);
  };
  const answer::Answer answer = answer::answerOf(config, options);
  return {scalarsOf(answer::jsonOf(answer)), answer::outcomeOf(answer)};
}

/// Whether the JSON is that of scalarsOf(): texts alone, with figures among them. A file of the
/// disk cache may say anything.
bool areScalars(const Json& scalars) {
  if (!scalars.is_object()) return false;
  bool has_figures = false;
  for (const auto& [key, value] : scalars.items()) {
    if (!value.is_string()) return false;
    for (const std::string_view section : kFigures) {
      has_figures = has_figures || key.compare(0, section.size(), section) == 0;
    }
  }
  return has_figures;
}

std::string keptText(const Computed& point) {
  return jsonTextOf({{"outcome", answer::toJson(point.outcome)}, {"scalars", point.scalars}});
}

/// None for a text that is not that of keptText().
std::optional<Computed> computedFrom(const std::string& text) {
  Json kept = Json::parse(text, nullptr, false);
  if (!kept.is_object() || !areScalars(kept.value("scalars", Json()))) return std::nullopt;
  const auto outcome = answer::outcomeFrom(kept.value("outcome", Json()));
  if (!outcome) return std::nullopt;
  return Computed{std::move(kept["scalars"]), *outcome};
}

/// A point, from the disk cache if it is there.
Computed pointAt(const ConfigReader& config, const PointRun& how, run::CompileCache& cache) {
  DiskCache* disk = diskCache();
  if (disk == nullptr) return computed(config, how, cache);
  const std::string key =
      fmt::format("{}\n{}\n{}", nameOf(how.engine), how.files, config.values().text());
  if (const std::optional<std::string> kept = disk->find(kStage, key)) {
    if (std::optional<Computed> point = computedFrom(*kept)) return *std::move(point);
  }
  Computed point = computed(config, how, cache);
  disk->keep(kStage, key, keptText(point));
  return point;
}

/// The cache is the only object that outlives an error.
PointResult evaluate(const Sweep& sweep, const PointRun& how, std::uint64_t point,
                     run::CompileCache& cache) {
  PointResult kept;
  const auto end = [&kept](Status status, const std::string& fault) {
    kept.status = status;
    kept.reason = oneLine(fault, kPointReasonLength);
  };
  const auto compute = [&] {
    const auto wrong = faultOf<ConfigError>([&] {
      Computed found = pointAt(sweep.configAt(point), how, cache);
      kept.status = found.outcome.fits ? Status::Ok : Status::DoesNotFit;
      kept.outcome = std::move(found.outcome);
      for (const Axis* axis : sweep.axes()) found.scalars.erase(axis->key);
      kept.result = jsonTextOf(found.scalars);
    });
    if (wrong) end(Status::Invalid, *wrong);
  };
  if (const auto fault = faultOf<std::exception>(compute)) end(Status::Failed, *fault);
  return kept;
}

}  // namespace

PointResult evaluatePoint(const Sweep& sweep, const PointRun& how, std::uint64_t point,
                          run::CompileCache& cache) {
  const auto begin = std::chrono::steady_clock::now();
  PointResult result = evaluate(sweep, how, point, cache);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace ipusim::sweep
