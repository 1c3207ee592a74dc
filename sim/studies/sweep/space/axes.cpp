// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/space/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "base/text/message.h"

namespace ipusim::sweep {

namespace {

constexpr double kSmallestEnd = 1e-9;  // smallest end of a range on a scale of log2
constexpr double kLargestEnd = 1e15;   // whole numbers are exact up to here
constexpr std::uint64_t kMostValues = 100'000;
constexpr std::uint64_t kSteps = 1000;  // steps of a range without a count: 0.1 % each
constexpr const char* kWantedAxis =
    "a list of values, or {from = A, to = B, count = N, scale = \"linear\" | \"log2\"}";

AxisValue valueOf(const SortedJson& value) {
  const std::string toml = value.dump();
  return {toml, value.is_string() ? value.get<std::string>() : toml};
}

/// True for a range such as {from = 1, ...}. False for {from = [1, 2]}, which are the values of an
/// axis with the name from.
bool isRange(const SortedJson& table) {
  const std::array<const char*, 3> keys = {"from", "to", "count"};
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) {
    return table.contains(key) && !table[key].is_structured();
  });
}

/// True for numbers that ascend or descend: a search can then tell which values are near.
bool areOrdered(const SortedJson& list) {
  const auto is_number = [](const SortedJson& value) { return value.is_number(); };
  return std::all_of(list.begin(), list.end(), is_number) &&
         (std::is_sorted(list.begin(), list.end()) || std::is_sorted(list.rbegin(), list.rend()));
}

Axis readList(const ConfigReader& table, const std::string& key, const SortedJson& list) {
  Axis axis;
  axis.values.reserve(list.size());
  for (const SortedJson& value : list) {
    if (value.is_object()) throw table.error(key, "texts, numbers, flags or arrays in the list");
    axis.values.push_back(valueOf(value));
  }
  if (axis.values.empty()) throw table.error(key, "at least one value");
  axis.kind = areOrdered(list) ? AxisKind::Ordered : AxisKind::Categorical;
  return axis;
}

enum class Scale : std::uint8_t { Linear, Log2 };

/// Step `i` of `steps` between two ends. Both ends are met exactly.
double between(double from, double to, double i, double steps, Scale scale) {
  if (i == 0) return from;
  if (i == steps) return to;
  if (scale == Scale::Linear) return from + (to - from) * (i / steps);
  return from * std::exp2(std::log2(to / from) * (i / steps));
}

struct Range {
  double from;
  double to;
  Scale scale;
  bool whole;
};

Range rangeOf(const ConfigReader& table, const SortedJson& json) {
  const Scale scale =
      table.choice("scale", {"linear", "log2"}, "linear") == "log2" ? Scale::Log2 : Scale::Linear;
  const double lowest = scale == Scale::Log2 ? kSmallestEnd : -kLargestEnd;
  const double from = table.real("from", lowest, kLargestEnd);
  const double to = table.real("to", lowest, kLargestEnd);
  return {from, to, scale, json["from"].is_number_integer() && json["to"].is_number_integer()};
}

std::uint64_t countOf(const ConfigReader& table, const Range& range) {
  if (table.has("count")) return table.whole("count", 1, kMostValues);
  if (!range.whole || range.scale == Scale::Log2) return kSteps + 1;
  const double count = std::abs(range.to - range.from) + 1;
  if (count <= static_cast<double>(kMostValues)) return static_cast<std::uint64_t>(count);
  throw table.error("to", fmt::format("at most {} whole numbers, or a count", kMostValues));
}

bool isContinuous(const ConfigReader& table, const Range& range) {
  return !table.has("count") && !range.whole;
}

Axis readRange(const ConfigReader& table, const SortedJson& json) {
  const Range range = rangeOf(table, json);
  const std::uint64_t count = countOf(table, range);
  table.expectAllRead();
  Axis axis;
  axis.kind = isContinuous(table, range) ? AxisKind::Continuous : AxisKind::Ordered;
  axis.values.reserve(count);
  const auto steps = static_cast<double>(std::max<std::uint64_t>(count, 2) - 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = between(range.from, range.to, static_cast<double>(i), steps, range.scale);
    axis.values.push_back(
        valueOf(range.whole ? SortedJson(std::llround(value)) : SortedJson(value)));
  }
  return axis;
}

class AxesReader {
 public:
  std::vector<Axis> run(const ConfigReader& axes) {
    readTable(axes, axes.values().json(), "");
    return std::move(axes_);
  }

 private:
  void readTable(const ConfigReader& table, const SortedJson& json, const std::string& prefix) {
    for (const std::string& key : table.keys()) {
      const SortedJson& node = json.at(key);
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
           Axis axis) {
    axis.key = prefix + key;
    const bool twice = std::any_of(axes_.begin(), axes_.end(),
                                   [&](const Axis& other) { return other.key == axis.key; });
    if (twice) throw table.error(key, "one axis of " + inQuotes(axis.key));
    axes_.push_back(std::move(axis));
  }

  std::vector<Axis> axes_;
};

}  // namespace

AxisValue axisValue(const std::string& json) {
  return valueOf(SortedJson::parse(json));
}

std::vector<Axis> readAxes(const ConfigReader& axes) {
  return AxesReader().run(axes);
}

}  // namespace ipusim::sweep
