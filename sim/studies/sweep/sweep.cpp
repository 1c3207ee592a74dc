// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/config/errors_at.h"
#include "base/error_boundary.h"
#include "base/text/message.h"

namespace ipusim::sweep {

namespace {

constexpr std::uint64_t kMostPoints = 1'000'000;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 62;

void expectKnownKeys(const ConfigReader& config) {
  const std::vector<std::string> known = {"run", "axes", "zip", "where", "explore"};
  for (const std::string& key : config.keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw config.error(key,
                       "no key but run, axes, zip, where and explore" + didYouMean(key, known));
  }
}

void expectAtMost(const ConfigReader& config, const std::vector<Dimension>& dimensions,
                  std::uint64_t most) {
  std::uint64_t numbers = 1;
  for (const Dimension& dimension : dimensions) {
    if (dimension.count() > most / numbers) {
      throw config.error("axes", fmt::format("at most {} points", most));
    }
    numbers *= dimension.count();
  }
}

/// Whether `key` is `table` or a key in that table.
bool isWithin(const std::string& table, const std::string& key) {
  return key == table || key.rfind(table + '.', 0) == 0;
}

bool isStated(const std::string& key) {
  return isWithin("stated", key);
}

/// A figure that is stated for no key of the run would double its points.
void expectStatedForKeys(const ConfigReader& config, const std::vector<Dimension>& dimensions) {
  for (const Dimension& dimension : dimensions) {
    const auto is_stated = [](const Axis& axis) { return isStated(axis.key); };
    if (!std::all_of(dimension.axes.begin(), dimension.axes.end(), is_stated)) continue;
    throw config.error("axes", fmt::format("{} in a list of zip with a key of the run config",
                                           inQuotes(dimension.axes.front().key)));
  }
}

/// A point would take the value of the axis, or a part of each, and not what was asked for.
void expectNoAxisChanged(const Sweep& sweep, const std::vector<Override>& changes) {
  for (const Override& change : changes) {
    for (const Axis* axis : sweep.axes()) {
      if (!isWithin(axis->key, change.key) && !isWithin(change.key, axis->key)) continue;
      throw ConfigError(
          fmt::format("--set: wanted a key beside the axis {}, found {}", axis->key, change.key));
    }
  }
}

ConditionValue conditionAt(const Sweep& sweep, std::uint64_t number) {
  const std::vector<Override> axes = sweep.axesAt(number);
  return sweep.where->evaluate(
      [&](const std::string& key) { return sweep.point_keys->at(axes, key); });
}

void readWhere(const ConfigReader& config, Sweep& sweep) {
  if (!config.has("where")) return;
  sweep.where_place = config.place("where");
  sweep.where.emplace(config.text("where"), sweep.where_place);
  sweep.point_keys = std::make_shared<const PointKeys>(*sweep.run);
  (void)conditionAt(sweep, 0);  // an error in the condition is reported here
}

}  // namespace

std::uint64_t Sweep::numbers() const {
  std::uint64_t numbers = 1;
  for (const Dimension& dimension : dimensions) numbers *= dimension.count();
  return numbers;
}

ConditionValue Sweep::asked(std::uint64_t number) const {
  if (!where) return {};
  return resultOrNone<ConfigError>([&] { return conditionAt(*this, number); })
      .value_or(ConditionValue());
}

std::vector<const Axis*> Sweep::axes() const {
  std::vector<const Axis*> axes;
  for (const Dimension& dimension : dimensions) {
    for (const Axis& axis : dimension.axes) axes.push_back(&axis);
  }
  return axes;
}

std::vector<const AxisValue*> Sweep::valuesAt(std::uint64_t number) const {
  std::vector<const AxisValue*> values;
  std::uint64_t points_below = numbers();
  for (const Dimension& dimension : dimensions) {
    points_below /= dimension.count();
    const std::uint64_t index = number / points_below % dimension.count();
    for (const Axis& axis : dimension.axes) values.push_back(&axis.values[index]);
  }
  return values;
}

std::vector<Override> Sweep::axesAt(std::uint64_t number) const {
  const std::vector<const Axis*> keys = axes();
  const std::vector<const AxisValue*> values = valuesAt(number);
  std::vector<Override> overrides;
  overrides.reserve(keys.size());
  for (std::size_t a = 0; a < keys.size(); ++a) {
    overrides.push_back({keys[a]->key, values[a]->toml});
  }
  return overrides;
}

ConfigReader Sweep::configAt(std::uint64_t number) const {
  std::vector<Override> overrides;
  for (Override& axis : axesAt(number)) {
    if (!isStated(axis.key)) overrides.push_back(std::move(axis));
  }
  return run.value().with(overrides);
}

std::string describePoint(const Sweep& sweep, std::uint64_t point) {
  std::string text;
  for (const Override& axis : sweep.axesAt(point)) {
    text += (text.empty() ? "" : " ") + axis.key + '=' + axis.value;
  }
  return text;
}

void forEachPoint(const Sweep& sweep, const std::function<void(std::uint64_t)>& visit) {
  for (std::uint64_t number = 0; number < sweep.numbers(); ++number) {
    if (sweep.asked(number).holds()) visit(number);
  }
}

Sweep readSpace(const ConfigReader& config, const std::vector<Override>& changes) {
  expectKnownKeys(config);
  Sweep sweep;
  const std::filesystem::path run = config.path("run");
  sweep.run = withErrorsAt(config, "run", [&] { return ConfigReader::fromFile(run, changes); });
  sweep.dimensions = zipAxes(config, readAxes(config.table("axes")));
  if (sweep.dimensions.empty()) throw config.error("axes", "at least one axis");
  expectStatedForKeys(config, sweep.dimensions);
  expectNoAxisChanged(sweep, changes);
  expectAtMost(config, sweep.dimensions, kMostNumbers);
  readWhere(config, sweep);
  return sweep;
}

Sweep readSweep(const ConfigReader& config, const std::vector<Override>& changes) {
  Sweep sweep = readSpace(config, changes);
  expectAtMost(config, sweep.dimensions, kMostPoints);
  return sweep;
}

}  // namespace ipusim::sweep
