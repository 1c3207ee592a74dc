// SPDX-License-Identifier: Apache-2.0
#include "sim/report/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "base/message.h"
#include "sim/report/shares.h"
#include "sim/report/text_layout.h"

namespace ipusim::run {

using Json = nlohmann::ordered_json;

namespace {

/// A part by its name, and the members of a result that belong to it.
struct Part {
  const char* name;
  std::vector<std::string> members;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> kParts = {
      {"fits", {"fits", "oom"}},
      {"memory", {"memory"}},
      {"time", {"time", "training"}},
      {"plan", {"plan"}},
      {"graph", {"machine", "graph", "work", "model"}},
  };
  return kParts;
}

using Figures = std::vector<std::pair<std::string, Json>>;

/// Adds the figures of an object and of those in it; lists are no figures.
void add(const std::string& key, const JsonReader& value, Figures& figures) {
  if (value.isArray()) return;
  if (!value.isObject()) {
    figures.emplace_back(key, value.value());
    return;
  }
  for (const auto& [name, ignored] : value.value().items()) {
    if (const auto member = value.find(name)) add(key + '.' + name, *member, figures);
  }
}

Figures figuresOf(const JsonReader& result, const Part& part) {
  Figures figures;
  for (const std::string& member : part.members) {
    if (const auto value = result.find(member)) add(member, *value, figures);
  }
  return figures;
}

/// The figure `key` of each item of a list, added up by the items' names.
Figures sumsByName(const JsonReader& result, const std::string& list, const std::string& key) {
  Figures figures;
  std::map<std::string, std::size_t> place;
  const auto items = result.find(list);
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const std::string name = (*items)[i].at("name").text();
    const std::uint64_t count = (*items)[i].at(key).count();
    const auto [found, is_first] = place.emplace(name, figures.size());
    if (is_first) {
      figures.emplace_back(name, count);
    } else {
      Json& sum = figures[found->second].second;
      sum = sum.get<std::uint64_t>() + count;
    }
  }
  return figures;
}

/// The unit in which a key ends, and whether the figure is a number at all.
std::string unitOf(const FigurePair& figure) {
  const auto is_number = [](const Json& value) { return value.is_number() || value.is_null(); };
  if (!is_number(figure.a) || !is_number(figure.b)) return "";
  for (const char* const unit : {"bytes", "cycles", "seconds"}) {
    if (figure.key.find(unit) != std::string::npos) return unit;
  }
  return "other";
}

double sizeOf(const FigurePair& figure) {
  const auto number = [](const Json& value) { return value.is_number() ? value.get<double>() : 0; };
  return std::abs(number(figure.b) - number(figure.a));
}

/// Puts the largest change first, within each unit in its order of appearance.
void order(std::vector<FigurePair>& changes) {
  std::map<std::string, std::size_t> units = {{"", 0}};
  for (const FigurePair& one : changes) units.emplace(unitOf(one), units.size());
  std::stable_sort(changes.begin(), changes.end(),
                   [&units](const FigurePair& a, const FigurePair& b) {
                     const std::size_t unit_a = units.at(unitOf(a));
                     const std::size_t unit_b = units.at(unitOf(b));
                     return unit_a != unit_b ? unit_a < unit_b : sizeOf(a) > sizeOf(b);
                   });
}

ChangedPart compared(const std::string& name, const Figures& a, const Figures& b) {
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
  ChangedPart part{name, pairs.size(), {}};
  for (FigurePair& pair : pairs) {
    if (pair.differs()) part.changes.push_back(std::move(pair));
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
  for (const Part& part : parts()) {
    changed.push_back(compared(part.name, figuresOf(a, part), figuresOf(b, part)));
  }
  changed.push_back(
      compared("steps", sumsByName(a, "steps", "cycles"), sumsByName(b, "steps", "cycles")));
  if (haveVariables(a, b)) {
    changed.push_back(compared("variables", sumsByName(a, "variables", "bytes"),
                               sumsByName(b, "variables", "bytes")));
  }
  return changed;
}

Json withVariables(const RunResult& result) {
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
  std::string text = fmt::format("A  {}\nB  {}\n\n{:>55}{:>15}{:>10}\n", oneLine(a), oneLine(b),
                                 "A", "B", "change");
  for (const ChangedPart& part : parts) {
    const std::size_t changes = part.changes.size();
    const std::size_t rows = shown == ShownChanges::All ? changes : std::min(changes, kMost);
    text += fmt::format("{:<10}{} of {} changed\n", part.name, changes, part.compared);
    for (std::size_t c = 0; c < rows; ++c) text += figureRow(part.changes[c]);
    if (rows < changes) text += fmt::format("  {} smaller ones (--all)\n", changes - rows);
  }
  return withoutTrailingSpaces(text);
}

Json changesJson(const std::vector<ChangedPart>& parts, const std::string& a,
                 const std::string& b) {
  Json json = {{"schema", "ipusim-changes-1"}, {"a", a}, {"b", b}, {"parts", Json::array()}};
  for (const ChangedPart& part : parts) {
    Json changes = Json::array();
    for (const FigurePair& one : part.changes) {
      changes.push_back({{"key", one.key}, {"a", one.a}, {"b", one.b}});
    }
    json["parts"].push_back(
        {{"name", part.name}, {"compared", part.compared}, {"changes", std::move(changes)}});
  }
  return json;
}

}  // namespace ipusim::run
