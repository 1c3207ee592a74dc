// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/diff/diff.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/text_layout.h"

namespace ipusim::report {

namespace {

constexpr std::size_t kLongestKey = 38;
constexpr std::size_t kLongestValue = 15;
constexpr std::size_t kLongestName = 400;

std::string nameText(const std::string& name) {
  return oneLine(name, kLongestName);
}

std::string valueText(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_number_unsigned()) return countText(value.get<std::uint64_t>(), kLongestValue);
  if (value.is_number()) return fmt::format("{:.6g}", value.get<double>());
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return shortened(oneLine(text, kLongestValue), kLongestValue);
}

/// How b compares with a, such as "+12.5 %" or "x 29.4". Empty where there is no such figure.
std::string changeText(const Json& a, const Json& b) {
  constexpr double kPercent = 100;
  constexpr double kLarge = 10;
  if (!a.is_number() || !b.is_number() || a.get<double>() == 0) return "";
  const double ratio = b.get<double>() / a.get<double>();
  if (std::abs(ratio) >= kLarge) return fmt::format("x {:.3g}", ratio);
  return fmt::format("{:+.3g} %", kPercent * (ratio - 1));
}

std::string row(const std::string& key, const Json& a, const Json& b) {
  return fmt::format("  {:<38}{:>15}{:>15}{:>10}\n", shortened(shownName(key), kLongestKey),
                     valueText(a), valueText(b), changeText(a, b));
}

std::string figureRows(const std::vector<FigurePair>& figures, const std::string& indent) {
  std::string text;
  for (const FigurePair& figure : figures) {
    if (figure.differs()) text += row(indent + figure.key, figure.a, figure.b);
  }
  return text;
}

std::string tilesRow(const TilesPair& tiles, const std::string& indent) {
  if (tiles.tiles_of_a != tiles.tiles_of_b) {
    return row(indent + tiles.key + ": tiles", tiles.tiles_of_a, tiles.tiles_of_b);
  }
  return row(indent + tiles.key, tiles.worst_a, tiles.worst_b) +
         fmt::format("  {}{} of {} tiles differ, tile {} most\n", indent, tiles.differing,
                     tiles.tiles_of_a, tiles.worst_tile);
}

std::string tilesRows(const std::vector<TilesPair>& all, const std::string& indent) {
  std::string text;
  for (const TilesPair& tiles : all) {
    if (tiles.differs()) text += tilesRow(tiles, indent);
  }
  return text;
}

std::string stepRows(const StepPair& step) {
  if (!step.differs()) return "";
  const bool renamed = step.a != step.b;
  const std::string names = nameText(step.a) + (renamed ? " | " + nameText(step.b) : "");
  return fmt::format("  {} ({})\n", names, nameText(step.kind)) + figureRows(step.figures, "  ") +
         tilesRows(step.tiles, "  ");
}

template <typename Pair>
std::size_t equalOf(const std::vector<Pair>& pairs) {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return !pair.differs(); }));
}

std::string namesText(const char* heading, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("  {}\n", nameText(name));
  return text.empty() ? text : heading + ("\n" + text);
}

/// The part of a result that a key is in, such as "memory" or "tiles".
std::string sectionOf(const std::string& key) {
  return key.substr(0, key.find('.'));
}

/// The sections of which both results hold a figure.
std::set<std::string> sectionsInBoth(const ResultDiff& diff) {
  std::set<std::string> sections;
  for (const FigurePair& figure : diff.figures) sections.insert(sectionOf(figure.key));
  for (const TilesPair& tiles : diff.tiles) sections.insert(sectionOf(tiles.key));
  if (!diff.steps.empty()) sections.insert("steps[]");
  return sections;
}

/// The keys of figures that one result holds. A section of which the other holds nothing is one
/// item.
std::vector<std::string> grouped(const std::vector<std::string>& keys,
                                 const std::set<std::string>& in_both) {
  std::map<std::string, std::size_t> whole;
  for (const std::string& key : keys) {
    if (in_both.count(sectionOf(key)) == 0) ++whole[sectionOf(key)];
  }
  std::vector<std::string> items;
  for (const std::string& key : keys) {
    const auto section = whole.find(sectionOf(key));
    if (section == whole.end() || section->second == 1) {
      items.push_back(key);
    } else if (section->second > 1) {
      items.push_back(fmt::format("{}: all {} figures", section->first, section->second));
      section->second = 0;  // has been said
    }
  }
  return items;
}

Json tilesJson(const TilesPair& tiles) {
  return {{"key", tiles.key},
          {"tiles_of_a", tiles.tiles_of_a},
          {"tiles_of_b", tiles.tiles_of_b},
          {"differing", tiles.differing},
          {"worst_tile", tiles.worst_tile},
          {"worst_a", tiles.worst_a},
          {"worst_b", tiles.worst_b}};
}

Json figureJson(const FigurePair& figure) {
  return {{"key", figure.key}, {"a", figure.a}, {"b", figure.b}};
}

template <typename Items, typename Make>
Json listOf(const Items& items, const Make& make) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(make(item));
  return list;
}

Json stepJson(const StepPair& step) {
  return {{"a", step.a},
          {"b", step.b},
          {"kind", step.kind},
          {"figures", listOf(step.figures, figureJson)},
          {"tiles", listOf(step.tiles, tilesJson)}};
}

}  // namespace

std::string figureRow(const FigurePair& figure) {
  return row(figure.key, figure.a, figure.b);
}

std::string diffText(const ResultDiff& diff, const std::string& a, const std::string& b) {
  std::string text = fmt::format("A  {}\nB  {}\n\n", nameText(a), nameText(b));
  text += fmt::format("FIGURES   {} of {} equal{}\n", equalOf(diff.figures) + equalOf(diff.tiles),
                      diff.figures.size() + diff.tiles.size(),
                      diff.figures.empty() ? "" : fmt::format("{:>31}{:>15}", "A", "B"));
  text += figureRows(diff.figures, "") + tilesRows(diff.tiles, "");
  text += fmt::format("STEPS     {} in both, {} of them equal\n", diff.steps.size(),
                      equalOf(diff.steps));
  for (const StepPair& step : diff.steps) text += stepRows(step);
  text += namesText("STEPS ONLY IN A", diff.steps_only_a);
  text += namesText("STEPS ONLY IN B", diff.steps_only_b);
  const std::set<std::string> in_both = sectionsInBoth(diff);
  text += namesText("FIGURES ONLY IN A", grouped(diff.only_a, in_both));
  text += namesText("FIGURES ONLY IN B", grouped(diff.only_b, in_both));
  return withoutTrailingSpaces(text);
}

Json diffJson(const ResultDiff& diff, const std::string& a, const std::string& b) {
  return {{"schema", "ipusim-diff-1"},
          {"a", a},
          {"b", b},
          {"same", diff.same()},
          {"figures", listOf(diff.figures, figureJson)},
          {"tiles", listOf(diff.tiles, tilesJson)},
          {"steps", listOf(diff.steps, stepJson)},
          {"steps_only_in_a", diff.steps_only_a},
          {"steps_only_in_b", diff.steps_only_b},
          {"only_in_a", diff.only_a},
          {"only_in_b", diff.only_b}};
}

}  // namespace ipusim::report
