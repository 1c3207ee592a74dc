// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/text/json.h"
#include "base/text/message.h"

namespace ipusim::validate {

namespace {

constexpr std::string_view kRatio = "ratio(";
constexpr std::string_view kOver = " / ";
constexpr std::string_view kWhere = " where ";
constexpr std::array<std::pair<std::string_view, Summary>, 5> kSummaries = {
    {{"smallest(", Summary::Smallest},
     {"largest(", Summary::Largest},
     {"first(", Summary::First},
     {"mean(", Summary::Mean},
     {"deviation(", Summary::Deviation}}};
constexpr std::array<std::string_view, 3> kLessIsMore = {"seconds", "cycles", "bytes"};

bool endsIn(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isPath(std::string_view text) {
  if (text.empty() || text.find_first_of(" ()|;={}\"'") != std::string_view::npos) return false;
  return text.front() != '.' && text.back() != '.' && text.find("..") == std::string_view::npos;
}

/// Reads `PATH < NUMBER` or `PATH > NUMBER`.
Condition parseCondition(const Cell& cell, std::string_view text) {
  const std::size_t sign = text.find_first_of("<>");
  Condition condition;
  if (sign != std::string_view::npos) {
    condition.side = text[sign] == '<' ? Condition::Side::Below : Condition::Side::Above;
    condition.path = trimmed(text.substr(0, sign));
    const std::string_view bound = trimmed(text.substr(sign + 1));
    const auto [end, fault] =
        std::from_chars(bound.data(), bound.data() + bound.size(), condition.bound);
    const bool number = fault == std::errc() && end == bound.data() + bound.size();
    if (number && isPath(condition.path)) return condition;
  }
  throw cell.error("a condition: A where B < NUMBER, or B > NUMBER");
}

Metric parsePaths(const Cell& cell, std::string_view text);

Metric parseWhere(const Cell& cell, std::string_view text, std::size_t where) {
  Metric metric = parsePaths(cell, trimmed(text.substr(0, where)));
  metric.where = parseCondition(cell, text.substr(where + kWhere.size()));
  metric.summary = Summary::Smallest;
  return metric;
}

Metric parsePaths(const Cell& cell, std::string_view text) {
  const std::size_t where = text.find(kWhere);
  if (where != std::string_view::npos) return parseWhere(cell, text, where);
  const std::size_t over = text.find(kOver);
  Metric metric;
  metric.path = trimmed(text.substr(0, over));
  bool good = isPath(metric.path);
  if (over != std::string_view::npos) {
    metric.divisor = trimmed(text.substr(over + kOver.size()));
    good = good && isPath(metric.divisor);
  }
  if (!good)
    throw cell.error(
        "a metric: time.cycles, A / B, A where B < NUMBER, mean(METRIC) or ratio(METRIC | "
        "key=value)");
  const bool less_is_more =
      std::any_of(kLessIsMore.begin(), kLessIsMore.end(), [text](std::string_view unit) {
        return endsIn(trimmed(text), unit);  // the last key decides
      });
  metric.summary = less_is_more ? Summary::Smallest : Summary::Largest;
  return metric;
}

/// Reads a metric that may stand in the name of a summary.
Metric parseSummary(const Cell& cell, std::string_view text) {
  for (const auto& [name, summary] : kSummaries) {
    if (text.substr(0, name.size()) != name) continue;
    if (text.back() != ')') throw cell.error(std::string(name) + "METRIC)");
    Metric metric = parsePaths(cell, text.substr(name.size(), text.size() - name.size() - 1));
    metric.summary = summary;
    return metric;
  }
  return parsePaths(cell, text);
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviationOf(const std::vector<double>& values) {
  const double mean = meanOf(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

const Json* elementOf(const Json& array, std::string_view key) {
  std::size_t index = array.size();
  const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (fault == std::errc() && end == key.data() + key.size()) {
    return index < array.size() ? &array[index] : nullptr;
  }
  const auto found = std::find_if(array.begin(), array.end(), [key](const Json& element) {
    return element.is_object() && element.value("name", "") == key;
  });
  return found == array.end() ? nullptr : &*found;
}

const Json* memberOf(const Json& object, std::string_view key) {
  const auto found = object.find(std::string(key));
  return found == object.end() ? nullptr : &*found;
}

double numberAt(const Json& result, const std::string& path) {
  const Json* node = &result;
  for (const std::string& key : splitOutsideBrackets(path, '.')) {
    node = node->is_array() ? elementOf(*node, key) : memberOf(*node, key);
    if (node == nullptr) {
      throw ConfigError(
          fmt::format("metric {}: wanted a number, found no key {}", oneLine(path), inQuotes(key)));
    }
  }
  if (node->is_number()) return node->get<double>();
  throw ConfigError(fmt::format("metric {}: wanted a number, found {}", oneLine(path),
                                node->is_null() ? "none" : node->type_name()));
}

}  // namespace

Metric parseMetric(const Cell& cell) {
  std::string_view text = trimmed(cell.text);
  if (text.substr(0, kRatio.size()) != kRatio) return parseSummary(cell, text);
  const std::size_t bar = text.find('|');
  if (bar == std::string_view::npos || text.back() != ')') {
    throw cell.error("ratio(METRIC | key=value;key=value)");
  }
  Metric metric = parseSummary(cell, trimmed(text.substr(kRatio.size(), bar - kRatio.size())));
  metric.baseline = parseOverrides(cell, text.substr(bar + 1, text.size() - bar - 2));
  return metric;
}

bool counts(const Json& result, const Metric& metric) {
  if (!metric.where) return true;
  const double number = numberAt(result, metric.where->path);
  return metric.where->side == Condition::Side::Below ? number < metric.where->bound
                                                      : number > metric.where->bound;
}

std::optional<double> summaryOf(const std::vector<double>& values, Summary summary) {
  const std::size_t least = summary == Summary::Deviation ? 2 : 1;
  if (values.size() < least) return std::nullopt;
  switch (summary) {
    case Summary::Smallest:
      return *std::min_element(values.begin(), values.end());
    case Summary::Largest:
      return *std::max_element(values.begin(), values.end());
    case Summary::First:
      return values.front();
    case Summary::Mean:
      return meanOf(values);
    case Summary::Deviation:
      return deviationOf(values);
  }
  throw InternalError("no such summary");
}

double valueIn(const Json& result, const Metric& metric) {
  const double value = numberAt(result, metric.path);
  return metric.divisor.empty() ? value : value / numberAt(result, metric.divisor);
}

}  // namespace ipusim::validate
