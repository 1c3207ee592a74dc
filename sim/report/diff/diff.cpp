// SPDX-License-Identifier: Apache-2.0
#include "sim/report/diff/diff.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text/json.h"
#include "sim/report/json.h"

namespace ipusim::report {

namespace {

/// The sections of a result that say what the program needs and takes. The others say how the
/// figures came about, or are compared otherwise.
constexpr std::array<const char*, 11> kSections = {"machine", "graph", "fits",    "oom",
                                                   "memory",  "time",  "work",    "model",
                                                   "plan",    "dense", "training"};

bool isListOfObjects(const JsonReader& value) {
  return value.isArray() && value.size() > 0 && value[0].isObject();
}

/// The figures of an object: its members and theirs, without those that are null.
struct ResultFigures {
  std::vector<std::pair<std::string, JsonReader>> scalars;
  std::vector<std::pair<std::string, JsonReader>> by_tile;

  void add(const std::string& key, const JsonReader& value) {
    if (isListOfObjects(value)) return;  // steps and variables, which have names
    if (value.isArray()) {
      by_tile.emplace_back(key, value);
    } else if (!value.isObject()) {
      scalars.emplace_back(key, value);
    } else {
      addMembers(key + ".", value);
    }
  }

  /// Adds the members of `object`, whose keys begin with `prefix`.
  void addMembers(const std::string& prefix, const JsonReader& object) {
    for (const auto& [key, value] : object.value().items()) {
      if (const auto member = object.find(key)) add(prefix + key, *member);
    }
  }
};

TilesPair compareTiles(const std::string& key, const JsonReader& a, const JsonReader& b) {
  const std::vector<std::uint64_t> of_a = a.counts();
  const std::vector<std::uint64_t> of_b = b.counts();
  TilesPair pair{key, of_a.size(), of_b.size()};
  std::uint64_t worst = 0;
  for (std::size_t t = 0; t < std::min(of_a.size(), of_b.size()); ++t) {
    const std::uint64_t difference = std::max(of_a[t], of_b[t]) - std::min(of_a[t], of_b[t]);
    if (difference > 0) ++pair.differing;
    if (difference <= worst) continue;
    worst = difference;
    pair.worst_tile = t;
    pair.worst_a = of_a[t];
    pair.worst_b = of_b[t];
  }
  return pair;
}

/// The members of `a` that `b` has too, in the order of `a`, as `pair` compares them. The keys of
/// the others go to the two lists.
template <typename Pair, typename Compare>
std::vector<Pair> pairUp(const std::vector<std::pair<std::string, JsonReader>>& a,
                         const std::vector<std::pair<std::string, JsonReader>>& b,
                         const Compare& compare, std::vector<std::string>& only_a,
                         std::vector<std::string>& only_b) {
  std::map<std::string_view, const JsonReader*> open;
  for (const auto& [key, value] : b) open.emplace(key, &value);
  std::vector<Pair> pairs;
  for (const auto& [key, value] : a) {
    const auto found = open.find(key);
    if (found == open.end()) {
      only_a.push_back(key);
      continue;
    }
    pairs.push_back(compare(key, value, *found->second));
    open.erase(found);
  }
  for (const auto& [key, value] : b) {
    if (open.count(key) > 0) only_b.push_back(key);
  }
  return pairs;
}

FigurePair figurePair(const std::string& key, const JsonReader& a, const JsonReader& b) {
  return {key, a.value(), b.value()};
}

ResultFigures figuresOfStep(const JsonReader& step) {
  ResultFigures figures;
  for (const auto& [key, value] : step.value().items()) {
    if (key == "name" || key == "kind") continue;
    if (const auto member = step.find(key)) figures.add(key, *member);
  }
  return figures;
}

/// The steps of a result, and which step of the other result each is paired with.
struct Steps {
  struct Step {
    JsonReader json;
    std::string name;
    std::string kind;
    std::optional<std::size_t> partner;
  };
  std::vector<Step> all;

  explicit Steps(const JsonReader& result) {
    const auto steps = result.find("steps");
    for (std::size_t i = 0; steps && i < steps->size(); ++i) {
      const JsonReader step = (*steps)[i];
      all.push_back({step, step.at("name").text(), step.at("kind").text(), std::nullopt});
    }
  }

  /// The steps without a partner, by kind and in order.
  [[nodiscard]] std::map<std::string, std::vector<std::size_t>> openByKind() const {
    std::map<std::string, std::vector<std::size_t>> open;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].partner) open[all[i].kind].push_back(i);
    }
    return open;
  }

  [[nodiscard]] std::vector<std::string> openNames() const {
    std::vector<std::string> names;
    for (const Step& step : all) {
      if (!step.partner) names.push_back(step.name);
    }
    return names;
  }
};

void join(std::size_t of_a, std::size_t of_b, Steps& a, Steps& b) {
  a.all[of_a].partner = of_b;
  b.all[of_b].partner = of_a;
}

void pairByName(Steps& a, Steps& b) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> open;
  for (std::size_t i = b.all.size(); i-- > 0;) {
    open[{b.all[i].name, b.all[i].kind}].push_back(i);
  }
  for (std::size_t i = 0; i < a.all.size(); ++i) {
    std::vector<std::size_t>& of_name = open[{a.all[i].name, a.all[i].kind}];
    if (of_name.empty()) continue;
    join(i, of_name.back(), a, b);
    of_name.pop_back();
  }
}

void pairByOrder(Steps& a, Steps& b) {
  const auto open_b = b.openByKind();
  for (const auto& [kind, of_a] : a.openByKind()) {
    const auto of_b = open_b.find(kind);
    if (of_b == open_b.end() || of_b->second.size() != of_a.size()) continue;
    for (std::size_t i = 0; i < of_a.size(); ++i) join(of_a[i], of_b->second[i], a, b);
  }
}

/// Adds to a list, after the key of its step list, what is not there yet.
void addKeys(const std::vector<std::string>& keys, std::vector<std::string>& all) {
  for (const std::string& key : keys) {
    const std::string in_steps = "steps[]." + key;
    if (std::find(all.begin(), all.end(), in_steps) == all.end()) all.push_back(in_steps);
  }
}

StepPair compareSteps(const Steps::Step& a, const Steps::Step& b, ResultDiff& diff) {
  const ResultFigures of_a = figuresOfStep(a.json);
  const ResultFigures of_b = figuresOfStep(b.json);
  std::vector<std::string> only_a;
  std::vector<std::string> only_b;
  StepPair pair{a.name, b.name, a.kind, {}, {}};
  pair.figures = pairUp<FigurePair>(of_a.scalars, of_b.scalars, figurePair, only_a, only_b);
  pair.tiles = pairUp<TilesPair>(of_a.by_tile, of_b.by_tile, compareTiles, only_a, only_b);
  addKeys(only_a, diff.only_a);
  addKeys(only_b, diff.only_b);
  return pair;
}

void diffSteps(const JsonReader& a, const JsonReader& b, ResultDiff& diff) {
  Steps of_a(a);
  Steps of_b(b);
  pairByName(of_a, of_b);
  pairByOrder(of_a, of_b);
  for (const Steps::Step& step : of_a.all) {
    if (step.partner) diff.steps.push_back(compareSteps(step, of_b.all[*step.partner], diff));
  }
  diff.steps_only_a = of_a.openNames();
  diff.steps_only_b = of_b.openNames();
}

ResultFigures figuresOf(const JsonReader& result) {
  ResultFigures figures;
  for (const char* const section : kSections) {
    if (const auto member = result.find(section)) figures.add(section, *member);
  }
  if (const auto tiles = result.find("tiles")) figures.addMembers("tiles.", *tiles);
  return figures;
}

template <typename Value>
std::vector<std::uint64_t> column(const std::vector<TileResult>& tiles, const Value& value) {
  std::vector<std::uint64_t> counts;
  counts.reserve(tiles.size());
  for (const TileResult& tile : tiles) counts.push_back(value(tile).value());
  return counts;
}

}  // namespace

bool StepPair::differs() const {
  const auto differ = [](const auto& pair) { return pair.differs(); };
  return std::any_of(figures.begin(), figures.end(), differ) ||
         std::any_of(tiles.begin(), tiles.end(), differ);
}

bool ResultDiff::same() const {
  const auto differ = [](const auto& pair) { return pair.differs(); };
  return steps_only_a.empty() && steps_only_b.empty() &&
         std::none_of(figures.begin(), figures.end(), differ) &&
         std::none_of(tiles.begin(), tiles.end(), differ) &&
         std::none_of(steps.begin(), steps.end(), differ);
}

ResultDiff diffResults(const JsonReader& a, const JsonReader& b) {
  const ResultFigures of_a = figuresOf(a);
  const ResultFigures of_b = figuresOf(b);
  ResultDiff diff;
  diff.figures =
      pairUp<FigurePair>(of_a.scalars, of_b.scalars, figurePair, diff.only_a, diff.only_b);
  diff.tiles =
      pairUp<TilesPair>(of_a.by_tile, of_b.by_tile, compareTiles, diff.only_a, diff.only_b);
  diffSteps(a, b, diff);
  return diff;
}

Json withTiles(const run::RunResult& result) {
  Json json = toJson(result);
  Json& tiles = json["tiles"] = Json::object();
  for (std::size_t c = 0; c < kCategories; ++c) {
    tiles[std::string(keyOf(static_cast<MemoryCategory>(c))) + "_bytes"] =
        column(result.tiles, [c](const TileResult& tile) { return tile.bytes[c]; });
  }
  const auto add = [&](const char* key, const auto& value) {
    tiles[key] = column(result.tiles, value);
  };
  add("always_live_bytes", [](const TileResult& tile) { return tile.always_live; });
  add("peak_not_always_live_bytes",
      [](const TileResult& tile) { return tile.peak_not_always_live; });
  add("total_bytes", [](const TileResult& tile) { return tile.total(); });
  add("including_gaps_bytes", [](const TileResult& tile) { return tile.including_gaps; });
  add("compute_cycles", [](const TileResult& tile) { return tile.compute; });
  add("copy_cycles", [](const TileResult& tile) { return tile.copy; });
  add("exchange_cycles", [](const TileResult& tile) { return tile.exchange; });
  add("host_cycles", [](const TileResult& tile) { return tile.host; });
  add("sync_cycles", [](const TileResult& tile) { return tile.sync; });
  add("idle_cycles", [](const TileResult& tile) { return tile.idle; });
  add("streaming_cycles", [](const TileResult& tile) { return tile.streaming; });
  return json;
}

}  // namespace ipusim::report
