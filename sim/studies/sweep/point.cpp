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

#include "base/disk_cache.h"
#include "base/json.h"
#include "base/json_text.h"
#include "base/message.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/report/excess.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"
#include "sim/studies/sweep/flatten.h"

namespace ipusim::explore {

namespace {

constexpr std::size_t kPointReasonLength = 500;
constexpr const char* kFits = "fits";
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

Json resultOf(const ConfigReader& config, const PointRun& how, run::CompileCache& cache) {
  if (run::isGpuAlone(config)) return run::gpuAloneJson(run::prepareGpuAlone(config));
  const auto expect_within_limits = [&how](const run::RunWork& work) {
    const auto excess = run::describeExcess(run::hostCost(work, how.engine), how.limits);
    if (excess) throw OverLimit("not run: it would take " + *excess);
  };
  if (parallel::isParallel(config)) {
    const parallel::ParallelTraining training = parallel::readParallel(config);
    return parallel::parallelJson(
        training, parallel::predictParallel(training, how.engine, expect_within_limits));
  }
  return run::toJson(run::simulate(cache.prepare(config, expect_within_limits), how.engine));
}

/// Whether the JSON is that of scalarsOf(): texts alone, with a word for kFits and figures beside
/// it. A file of the disk cache may say anything.
bool isPoint(const Json& scalars) {
  if (!scalars.is_object()) return false;
  bool has_figures = false;
  for (const auto& [key, value] : scalars.items()) {
    if (!value.is_string()) return false;
    for (const std::string_view section : kFigures) {
      has_figures = has_figures || key.compare(0, section.size(), section) == 0;
    }
  }
  const auto fits = scalars.find(kFits);
  return has_figures && fits != scalars.end() && (*fits == "true" || *fits == "false");
}

/// The scalars of the result of a point, from the disk cache if they are there.
Json scalarsAt(const ConfigReader& config, const PointRun& how, run::CompileCache& cache) {
  DiskCache* disk = diskCache();
  if (disk == nullptr) return scalarsOf(resultOf(config, how, cache));
  const std::string key = fmt::format("{}\n{}\n{}", nameOf(how.engine), how.files, config.json());
  if (const std::optional<std::string> kept = disk->find(kStage, key)) {
    Json scalars = Json::parse(*kept, nullptr, false);
    if (isPoint(scalars)) return scalars;
  }
  Json scalars = scalarsOf(resultOf(config, how, cache));
  disk->keep(kStage, key, jsonTextOf(scalars));
  return scalars;
}

/// The cache is the only object that outlives an error.
PointResult evaluate(const Sweep& sweep, const PointRun& how, std::uint64_t point,
                     run::CompileCache& cache) {
  PointResult kept;
  try {
    const auto config = ConfigReader::fromFile(sweep.run, sweep.overridesAt(point));
    Json scalars = scalarsAt(config, how, cache);
    kept.status = scalars[kFits] == "true" ? Status::Ok : Status::DoesNotFit;
    for (const Axis* axis : sweep.axes()) scalars.erase(axis->key);
    kept.result = jsonTextOf(scalars);
  } catch (const OverLimit& error) {
    kept.status = Status::Failed;
    kept.reason = error.what();
  } catch (const ConfigError& error) {
    kept.status = Status::Invalid;
    kept.reason = oneLine(error.what(), kPointReasonLength);
  } catch (const std::exception& error) {
    kept.status = Status::Failed;
    kept.reason = oneLine(error.what(), kPointReasonLength);
  }
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

}  // namespace ipusim::explore
