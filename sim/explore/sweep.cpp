// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "sim/base/message.h"
#include "sim/explore/flatten.h"
#include "sim/explore/row_file.h"
#include "sim/run/json.h"
#include "sim/run/simulate.h"

namespace ipusim::explore {

namespace {

constexpr std::uint64_t kMostPoints = 1'000'000;
constexpr std::size_t kReasonLength = 500;

/// What a row does not repeat: it is the same in all rows, or stands in the axes.
constexpr std::array<const char*, 3> kLeftOut = {"schema", "tool_version", "config"};

/// The axes of all dimensions.
std::vector<const Axis*> axesOf(const Sweep& sweep) {
  std::vector<const Axis*> axes;
  for (const Dimension& dimension : sweep.dimensions) {
    for (const Axis& axis : dimension.axes) axes.push_back(&axis);
  }
  return axes;
}

/// A value for each of axesOf(sweep), the last dimension fastest.
std::vector<const AxisValue*> valuesAt(const Sweep& sweep, std::uint64_t point) {
  std::vector<const AxisValue*> values;
  std::uint64_t points_below = sweep.points();
  for (const Dimension& dimension : sweep.dimensions) {
    points_below /= dimension.count();
    const std::uint64_t index = point / points_below % dimension.count();
    for (const Axis& axis : dimension.axes) values.push_back(&axis.values[index]);
  }
  return values;
}

bool isAxis(const Sweep& sweep, const std::string& path) {
  const std::vector<const Axis*> axes = axesOf(sweep);
  return std::any_of(axes.begin(), axes.end(), [&](const Axis* axis) { return axis->key == path; });
}

/// Adds the scalars of the result to `row`.
void addResult(const Sweep& sweep, const run::RunResult& result, std::vector<Scalar>& row) {
  nlohmann::ordered_json json = run::toJson(result);
  for (const char* key : kLeftOut) json.erase(key);
  for (Scalar& scalar : flatten(json)) {
    if (!isAxis(sweep, scalar.path)) row.push_back(std::move(scalar));
  }
}

class Runner {
 public:
  Runner(const Sweep& sweep, run::Engine engine, const run::OutputFolder& folder)
      : sweep_(sweep), engine_(engine), file_(folder, kResultsFile, firstColumns(sweep)) {}

  void runPoint(std::uint64_t point) {
    std::vector<Override> overrides;
    std::vector<Scalar> row;
    const std::vector<const Axis*> axes = axesOf(sweep_);
    const std::vector<const AxisValue*> values = valuesAt(sweep_, point);
    for (std::size_t a = 0; a < values.size(); ++a) {
      overrides.push_back({axes[a]->key, values[a]->toml});
      row.push_back({axes[a]->key, values[a]->shown});
    }
    const std::string status = evaluate(overrides, row);
    row.push_back({"status", status});
    file_.add(row);
  }

  [[nodiscard]] const SweepCounts& counts() const { return counts_; }

 private:
  static std::vector<std::string> firstColumns(const Sweep& sweep) {
    std::vector<std::string> columns;
    for (const Axis* axis : axesOf(sweep)) columns.push_back(axis->key);
    columns.emplace_back("status");
    return columns;
  }

  /// Adds the result to `row` and returns the status. The one place that outlives an error.
  std::string evaluate(const std::vector<Override>& overrides, std::vector<Scalar>& row) {
    try {
      const auto config = ConfigReader::fromFile(sweep_.run, overrides);
      const run::RunResult result = run::simulate(config, engine_);
      addResult(sweep_, result, row);
      ++(result.fits() ? counts_.ok : counts_.does_not_fit);
      return result.fits() ? "ok" : "does_not_fit";
    } catch (const ConfigError& error) {
      ++counts_.invalid;
      return "invalid: " + oneLine(error.what(), kReasonLength);
    } catch (const std::exception& error) {
      ++counts_.failed;
      return "failed: " + oneLine(error.what(), kReasonLength);
    }
  }

  const Sweep& sweep_;
  run::Engine engine_;
  RowFile file_;
  SweepCounts counts_;
};

void expectKnownKeys(const ConfigReader& config) {
  const std::vector<std::string> known = {"run", "axes", "zip"};
  for (const std::string& key : config.keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw config.error(key, "no key but run, axes and zip" + didYouMean(key, known));
  }
}

}  // namespace

std::uint64_t Sweep::points() const {
  std::uint64_t points = 1;
  for (const Dimension& dimension : dimensions) points *= dimension.count();
  return points;
}

Sweep readSweep(const ConfigReader& config) {
  expectKnownKeys(config);
  Sweep sweep;
  sweep.run = config.path("run");
  ConfigReader::fromFile(sweep.run);
  sweep.dimensions = zipAxes(config, readAxes(config.table("axes")));
  std::uint64_t points = 1;
  for (const Dimension& dimension : sweep.dimensions) {
    points *= dimension.count();
    if (points > kMostPoints) {
      throw config.error("axes", fmt::format("at most {} points", kMostPoints));
    }
  }
  if (sweep.dimensions.empty()) throw config.error("axes", "at least one axis");
  return sweep;
}

SweepCounts runSweep(const Sweep& sweep, run::Engine engine, const run::OutputFolder& folder,
                     const std::function<void(std::uint64_t)>& started) {
  Runner runner(sweep, engine, folder);
  for (std::uint64_t point = 0; point < sweep.points(); ++point) {
    started(point);
    runner.runPoint(point);
  }
  return runner.counts();
}

}  // namespace ipusim::explore
