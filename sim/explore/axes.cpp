// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/message.h"

namespace ipusim::explore {

using Json = nlohmann::json;

namespace {

constexpr double kLargestEnd = 1e15;  // whole numbers are exact up to here
constexpr std::uint64_t kMostValues = 100'000;
constexpr const char* kWantedAxis =
    "a list of values, or {from = A, to = B, count = N, scale = \"linear\" | \"log2\"}";

AxisValue valueOf(const Json& value) {
  const std::string toml = value.dump();
  return {toml, value.is_string() ? value.get<std::string>() : toml};
}

/// True for {from = 1, ...}; {from = [1, 2]} are the values of an axis that is called from.
bool isRange(const Json& table) {
  const std::array<const char*, 3> keys = {"from", "to", "count"};
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) {
    return table.contains(key) && !table[key].is_structured();
  });
}

std::vector<AxisValue> readList(const ConfigReader& table, const std::string& key,
                                const Json& list) {
  std::vector<AxisValue> values;
  for (const Json& value : list) {
    if (value.is_object()) throw table.error(key, "texts, numbers, flags or arrays in the list");
    values.push_back(valueOf(value));
  }
  if (values.empty()) throw table.error(key, "at least one value");
  return values;
}

enum class Scale : std::uint8_t { Linear, Log2 };

/// Step `i` of `steps` from one end to the other, both of which are met exactly.
double between(double from, double to, double i, double steps, Scale scale) {
  if (i == 0) return from;
  if (i == steps) return to;
  if (scale == Scale::Linear) return from + (to - from) * (i / steps);
  return from * std::exp2(std::log2(to / from) * (i / steps));
}

std::vector<AxisValue> readRange(const ConfigReader& range, const Json& json) {
  const Scale scale =
      range.choice("scale", {"linear", "log2"}, "linear") == "log2" ? Scale::Log2 : Scale::Linear;
  const double lowest = scale == Scale::Log2 ? 1e-9 : -kLargestEnd;
  const double from = range.real("from", lowest, kLargestEnd);
  const double to = range.real("to", lowest, kLargestEnd);
  const std::uint64_t count = range.whole("count", 1, kMostValues);
  range.expectAllRead();
  const bool whole = json["from"].is_number_integer() && json["to"].is_number_integer();
  std::vector<AxisValue> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = between(from, to, static_cast<double>(i),
                                 static_cast<double>(std::max<std::uint64_t>(count, 2) - 1), scale);
    values.push_back(valueOf(whole ? Json(std::llround(value)) : Json(value)));
  }
  return values;
}

class AxesReader {
 public:
  std::vector<Axis> run(const ConfigReader& axes) {
    readTable(axes, Json::parse(axes.json()), "");
    return std::move(axes_);
  }

 private:
  void readTable(const ConfigReader& table, const Json& json, const std::string& prefix) {
    for (const std::string& key : table.keys()) {
      const Json& node = json.at(key);
      if (node.is_array()) {
        add(table, key, prefix, readList(table, key, node));
      } else if (!node.is_object()) {
        throw table.error(key, kWantedAxis);
      } else if (isRange(node)) {
        add(table, key, prefix, readRange(table.table(key), node));
      } else {
        readTable(table.table(key), node, prefix + key + '.');
      }
    }
  }

  void add(const ConfigReader& table, const std::string& key, const std::string& prefix,
           std::vector<AxisValue> values) {
    Axis axis{prefix + key, std::move(values)};
    const bool twice = std::any_of(axes_.begin(), axes_.end(),
                                   [&](const Axis& other) { return other.key == axis.key; });
    if (twice) throw table.error(key, "one axis of " + inQuotes(axis.key));
    axes_.push_back(std::move(axis));
  }

  std::vector<Axis> axes_;
};

}  // namespace

std::vector<Axis> readAxes(const ConfigReader& axes) {
  return AxesReader().run(axes);
}

}  // namespace ipusim::explore
