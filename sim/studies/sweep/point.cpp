// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/point.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/message.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/json.h"
#include "sim/run/simulate.h"
#include "sim/studies/sweep/flatten.h"

namespace ipusim::explore {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kReasonLength = 500;

/// Keys that a row leaves out: they are equal in all rows, or stand in the axes.
constexpr std::array<const char*, 3> kLeftOut = {"schema", "tool_version", "config"};

bool isAxis(const std::vector<const Axis*>& axes, const std::string& path) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis* axis) { return axis->key == path; });
}

std::string scalarsOf(const Sweep& sweep, Json json) {
  for (const char* key : kLeftOut) json.erase(key);
  const std::vector<const Axis*> axes = sweep.axes();
  Json scalars = Json::object();
  for (Scalar& scalar : flatten(json)) {
    if (!isAxis(axes, scalar.path)) scalars[scalar.path] = std::move(scalar.text);
  }
  return scalars.dump();
}

/// Thrown when a point would take more of this computer than its limits allow.
class OverLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

Json resultOf(const ConfigReader& config, const PointRun& how, run::CompileCache& cache) {
  if (run::isGpuAlone(config)) return run::gpuAloneJson(run::prepareGpuAlone(config));
  const auto expect_within_limits = [&how](const run::HostWork& work) {
    const auto excess = run::describeExcess(run::hostCost(work, how.engine), how.limits);
    if (excess) throw OverLimit("not run: it would take " + *excess);
  };
  return run::toJson(run::simulate(cache.prepare(config, expect_within_limits), how.engine));
}

/// The cache is the only object that outlives an error.
PointResult evaluate(const Sweep& sweep, const PointRun& how, std::uint64_t point,
                     run::CompileCache& cache) {
  PointResult kept;
  try {
    const auto config = ConfigReader::fromFile(sweep.run, sweep.overridesAt(point));
    const Json result = resultOf(config, how, cache);
    kept.result = scalarsOf(sweep, result);
    kept.status = result["fits"].get<bool>() ? Status::Ok : Status::DoesNotFit;
  } catch (const OverLimit& error) {
    kept.status = Status::Failed;
    kept.reason = error.what();
  } catch (const ConfigError& error) {
    kept.status = Status::Invalid;
    kept.reason = oneLine(error.what(), kReasonLength);
  } catch (const std::exception& error) {
    kept.status = Status::Failed;
    kept.reason = oneLine(error.what(), kReasonLength);
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
