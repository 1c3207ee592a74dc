// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/message.h"

namespace ipusim::explore {

namespace {

constexpr std::uint64_t kMostPoints = 1'000'000;

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

std::vector<const Axis*> Sweep::axes() const {
  std::vector<const Axis*> axes;
  for (const Dimension& dimension : dimensions) {
    for (const Axis& axis : dimension.axes) axes.push_back(&axis);
  }
  return axes;
}

std::vector<const AxisValue*> Sweep::valuesAt(std::uint64_t point) const {
  std::vector<const AxisValue*> values;
  std::uint64_t points_below = points();
  for (const Dimension& dimension : dimensions) {
    points_below /= dimension.count();
    const std::uint64_t index = point / points_below % dimension.count();
    for (const Axis& axis : dimension.axes) values.push_back(&axis.values[index]);
  }
  return values;
}

std::vector<Override> Sweep::overridesAt(std::uint64_t point) const {
  const std::vector<const Axis*> keys = axes();
  const std::vector<const AxisValue*> values = valuesAt(point);
  std::vector<Override> overrides;
  overrides.reserve(keys.size());
  for (std::size_t a = 0; a < keys.size(); ++a) {
    overrides.push_back({keys[a]->key, values[a]->toml});
  }
  return overrides;
}

std::string describePoint(const Sweep& sweep, std::uint64_t point) {
  std::string text;
  for (const Override& axis : sweep.overridesAt(point)) {
    text += (text.empty() ? "" : " ") + axis.key + '=' + axis.value;
  }
  return text;
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

}  // namespace ipusim::explore
