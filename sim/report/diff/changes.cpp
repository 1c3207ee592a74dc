// SPDX-License-Identifier: Apache-2.0
#include "sim/report/diff/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/text/shares.h"
#include "sim/report/text/text_layout.h"

namespace ipusim::report {

namespace {

/// A part by its name, and the members of a result that belong to it.
struct ResultPart {
  const char* name;
  std::vector<std::string> members;
  std::string unit;  ///< of figures whose keys do not end in a unit
};

const std::vector<ResultPart>& parts() {
  static const std::vector<ResultPart> kParts = {
      {"fits", {"fits", "oom"}, "other"},
      {"memory", {"memory"}, "bytes"},
      {"time", {"time", "training"}, "other"},
      {"plan", {"plan"}, "other"},
      {"graph", {"machine", "graph", "work", "model"}, "other"},
  };
  return kParts;
}

using ChangedFigures = std::vector<std::pair<std::string, Json>>;

/// Numbers of tiles: the difference of two says nothing.
bool isTileNumber(const std::string& key) {
  return key == "memory.max_tile" || key == "oom.tile";
}

/// Adds the figures of an object and of those in it; lists are no figures.
void add(const std::string& key, const JsonReader& value, ChangedFigures& figures) {
  if (value.isArray() || isTileNumber(key)) return;
  if (!value.isObject()) {
    figures.emplace_back(key, value.value());
    return;
  }
  for (const auto& [name, ignored] : value.value().items()) {
    if (const auto member = value.find(name)) {
      add(fmt::format("{}.{}", key, name), *member, figures);
    }
  }
}

ChangedFigures figuresOf(const JsonReader& result, const ResultPart& part) {
  ChangedFigures figures;
  for (const std::string& member : part.members) {
    if (const auto value = result.find(member)) add(member, *value, figures);
  }
  return figures;
}

/// The first of `keys` that an item has, rounded. Profiles without execution have no cycles.
std::optional<std::int64_t> figureIn(const JsonReader& item, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    if (const auto figure = item.find(key)) return std::llround(figure->real());
  }
  return std::nullopt;
}

/// The figure of each item of a list, added up by the items' names.
ChangedFigures sumsByName(const JsonReader& result, const std::string& list,
                          const std::vector<std::string>& keys) {
  ChangedFigures figures;
  std::map<std::string, std::size_t> place;
  const auto items = result.find(list);
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const auto figure = figureIn((*items)[i], keys);
    if (!figure) continue;
    const std::string name = (*items)[i].at("name").text();
    const auto [found, is_first] = place.emplace(name, figures.size());
    if (is_first) {
      figures.emplace_back(name, *figure);
    } else {
      Json& sum = figures[found->second].second;
      sum = sum.get<std::int64_t>() + *figure;
    }
  }
  return figures;
}

/// The unit that a key ends in, or else that of its part. Words have none.
std::string unitOf(const FigurePair& figure, const std::string& unit_of_part) {
  const auto is_number = [](const Json& value) { return value.is_number() || value.is_null(); };
  if (!is_number(figure.a) || !is_number(figure.b)) return "";
  for (const char* const unit : {"bytes", "cycles", "seconds"}) {
    if (boost::algorithm::ends_with(figure.key, unit)) return unit;
  }
  return unit_of_part;
}

double sizeOf(const ChangedFigure& one) {
  const auto number = [](const Json& value) { return value.is_number() ? value.get<double>() : 0; };
  return std::abs(number(one.figure.b) - number(one.figure.a));
}

/// Puts the largest change first, within each unit in its order of appearance.
void order(std::vector<ChangedFigure>& changes) {
  std::map<std::string, std::size_t> units = {{"", 0}};
  for (const ChangedFigure& one : changes) units.emplace(one.unit, units.size());
  std::stable_sort(changes.begin(), changes.end(),
                   [&units](const ChangedFigure& a, const ChangedFigure& b) {
                     const std::size_t unit_a = units.at(a.unit);
                     const std::size_t unit_b = units.at(b.unit);
                     return unit_a != unit_b ? unit_a < unit_b : sizeOf(a) > sizeOf(b);
                   });
}

/// Pairs the figures of both sides by their keys; null stands for a figure that a side lacks.
std::vector<FigurePair> paired(const ChangedFigures& a, const ChangedFigures& b) {
  std::map<std::string, std::size_t> place;
  std::vector<FigurePair> pairs;
  for (const auto& [key, value] : a) {
    place.emplace(key, pairs.size());
    pairs.push_back({key, value, nullptr});
  }
  for (const auto& [key, value] : b) {
    const auto found = place.find(key);
    if (found == place.end()) {
      pairs.push_back({key, nullptr, value});
    } else {
      pairs[found->second].b = value;
    }
  }
  return pairs;
}

ChangedPart compared(const std::string& name, const std::string& unit, const ChangedFigures& a,
                     const ChangedFigures& b) {
  const std::vector<FigurePair> pairs = paired(a, b);
  ChangedPart part{name, pairs.size(), {}};
  for (const FigurePair& pair : pairs) {
    if (pair.differs()) part.changes.push_back({pair, unitOf(pair, unit)});
  }
  order(part.changes);
  return part;
}

/// Whether a result says anything of its variables: a file of `run --json` does not.
bool haveVariables(const JsonReader& a, const JsonReader& b) {
  return a.find("variables") && b.find("variables");
}

}  // namespace

std::vector<ChangedPart> changesOf(const JsonReader& a, const JsonReader& b) {
  std::vector<ChangedPart> changed;
  for (const ResultPart& part : parts()) {
    changed.push_back(compared(part.name, part.unit, figuresOf(a, part), figuresOf(b, part)));
  }
  const std::vector<std::string> cycles = {"mean_cycles", "cycles"};
  changed.push_back(
      compared("steps", "cycles", sumsByName(a, "steps", cycles), sumsByName(b, "steps", cycles)));
  if (haveVariables(a, b)) {
    changed.push_back(compared("variables", "bytes", sumsByName(a, "variables", {"bytes"}),
                               sumsByName(b, "variables", {"bytes"})));
  }
  return changed;
}

Json withVariables(const run::RunResult& result) {
  Json json = withTiles(result);
  Json& variables = json["variables"] = Json::array();
  for (const VariableResult& variable : result.variables) {
    variables.push_back({{"name", variable.name}, {"bytes", bytesOnAll(variable).value()}});
  }
  return json;
}

std::string changesText(const std::vector<ChangedPart>& parts, const std::string& a,
                        const std::string& b, ShownChanges shown) {
  constexpr std::size_t kMost = 10;
  std::string text = fmt::format("A  {}\nB  {}\n\n{:>55}{:>15}{:>10}\n", oneLine(a, a.size()),
                                 oneLine(b, b.size()), "A", "B", "change");
  for (const ChangedPart& part : parts) {
    const std::size_t changes = part.changes.size();
    const std::size_t rows = shown == ShownChanges::All ? changes : std::min(changes, kMost);
    text += fmt::format("{:<10}{} of {} changed\n", part.name, changes, part.compared);
    for (std::size_t c = 0; c < rows; ++c) text += figureRow(part.changes[c].figure);
    if (rows < changes) text += fmt::format("  {} more (--all)\n", changes - rows);
  }
  return withoutTrailingSpaces(text);
}

Json changesJson(const std::vector<ChangedPart>& parts, const std::string& a,
                 const std::string& b) {
  Json json = {{"schema", "ipusim-changes-1"}, {"a", a}, {"b", b}, {"parts", Json::array()}};
  for (const ChangedPart& part : parts) {
    Json changes = Json::array();
    for (const ChangedFigure& one : part.changes) {
      changes.push_back(
          {{"key", one.figure.key}, {"unit", one.unit}, {"a", one.figure.a}, {"b", one.figure.b}});
    }
    json["parts"].push_back(
        {{"name", part.name}, {"compared", part.compared}, {"changes", std::move(changes)}});
  }
  return json;
}

}  // namespace ipusim::report
