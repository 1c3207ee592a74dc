// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/graph_writer.h"
#include "workloads/sources/trace/linear_mapping.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

/// A constant of more elements is written only if it is one value.
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 24U;

std::vector<double> valuesOf(const Variable& variable) {
  if (variable.elements > kMostValues) {
    throw ConfigError(
        fmt::format("variable {}: wanted a constant of at most {} elements for a "
                    "trace, found {}",
                    oneLine(variable.name), kMostValues, variable.elements));
  }
  std::vector<double> values(variable.elements);
  for (std::uint64_t e = 0; e < variable.elements; ++e) {
    values[e] = variable.constant(e);
    if (!std::isfinite(values[e])) {
      throw ConfigError(fmt::format("variable {}: wanted finite constants for a trace, found {}",
                                    oneLine(variable.name), values[e]));
    }
  }
  return values;
}

bool isLinear(const std::vector<double>& values) {
  const double step = values[1] - values[0];
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (values[e] != values[0] + step * static_cast<double>(e)) return false;
  }
  return true;
}

void writeConstant(const Variable& variable, JsonText& json) {
  const std::vector<double> values = valuesOf(variable);
  const bool is_one =
      !values.empty() && std::all_of(values.begin(), values.end(),
                                     [&values](double value) { return value == values.front(); });
  if (is_one) {
    json.numberAt("value", values.front());
  } else if (values.size() > 2 && isLinear(values)) {
    json.key("linear").open('[').number(values[0]).number(values[1] - values[0]).close(']');
  } else {
    json.key("values").open('[');
    for (const double value : values) json.number(value);
    json.close(']');
  }
}

/// The tiles of the intervals, in order.
TileList tilesOf(const std::vector<MappedInterval>& intervals) {
  TileList tiles;
  for (const MappedInterval& interval : intervals) tiles.add(interval.tile.tile());
  return tiles;
}

/// The grain by which the elements are spread, if they are.
std::optional<std::uint64_t> grainOf(const Variable& variable, std::uint64_t usual) {
  const auto& intervals = variable.mapping.intervals();
  if (isSpread(variable, usual)) return usual;
  std::uint64_t common = 0;
  for (const MappedInterval& interval : intervals) common = std::gcd(common, interval.begin);
  if (common == 0 || !isSpread(variable, common)) return std::nullopt;
  return common;
}

/// Writes [tiles, elements of each] pairs.
void writeMap(const std::vector<MappedInterval>& intervals, JsonText& json) {
  json.key("map").open('[');
  for (std::size_t begin = 0; begin < intervals.size();) {
    const std::uint64_t each = intervals[begin].end - intervals[begin].begin;
    TileList tiles;
    std::size_t end = begin;
    while (end < intervals.size() && intervals[end].end - intervals[end].begin == each) {
      tiles.add(intervals[end++].tile.tile());
    }
    json.open('[').value(tiles.text()).number(each).close(']');
    begin = end;
  }
  json.close(']');
}

void writeTiles(const Variable& variable, JsonText& json) {
  const std::vector<MappedInterval>& intervals = variable.mapping.intervals();
  std::uint64_t covered = 0;
  for (const MappedInterval& interval : intervals) {
    const bool can_be_written = interval.begin == covered && interval.tile.ipu() == 0;
    if (!can_be_written) break;
    covered = interval.end;
  }
  if (covered != variable.elements) {
    throw ConfigError(
        fmt::format("variable {}: wanted a tile of the first IPU for each of {} "
                    "elements, found none for element {}",
                    oneLine(variable.name), variable.elements, covered));
  }
  const std::uint64_t usual = libraryGrain(variable.type);
  const auto grain = grainOf(variable, usual);
  if (!grain || intervals.empty()) return writeMap(intervals, json);
  json.textAt("tiles", tilesOf(intervals).text());
  if (*grain != usual) json.numberAt("grain", *grain);
}

}  // namespace

void writeVariable(const Variable& variable, std::uint64_t below, JsonText& json) {
  json.open('{').textAt("variable", variable.name);
  if (variable.type != ElementType::Float) {
    json.textAt("type", wordOf(variable.type, kElementWords));
  }
  json.numberAt("elements", variable.elements);
  if (variable.constant) {
    writeConstant(variable, json);
  } else if (variable.lifetime != Lifetime::Temporary) {
    json.textAt("lifetime", wordOf(variable.lifetime, kLifetimeWords));
  }
  if (below != 0) json.numberAt("below", below);
  writeTiles(variable, json);
  json.close('}').endLine();
}

}  // namespace ipusim::workloads
